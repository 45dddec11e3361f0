const numberFormat = new Intl.NumberFormat('en-GB')

/** "1 deployment", "1,204 deployments". */
export function counted(count: number, noun: string): string {
  return `${inDigits(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** "1,204". Small numbers skip the formatter, which is slow, because a profile has hundreds of them. */
export function inDigits(count: number): string {
  return count < 1_000 ? String(count) : numberFormat.format(count)
}
