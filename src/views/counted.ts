const numberFormat = new Intl.NumberFormat('en-GB')

/** "1 deployment", "1,204 deployments". */
export function counted(count: number, noun: string): string {
  return `${inDigits(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** "1,204". */
export function inDigits(count: number): string {
  return numberFormat.format(count)
}
