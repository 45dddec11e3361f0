/** The result of one check. If something is wrong, `says` also says what to do. */
export type Finding = { readonly about: string; readonly isRight: boolean; readonly says: string }

export function right(about: string, says: string): Finding {
  return { about, isRight: true, says }
}

export function wrong(about: string, says: string): Finding {
  return { about, isRight: false, says }
}

export function lineOf({ about, isRight, says }: Finding): string {
  return `${isRight ? 'ok   ' : 'WRONG'}  ${about.padEnd(10)}  ${says}\n`
}
