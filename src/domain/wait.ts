const minute = 60
const hour = 60 * minute

/** Up to here minutes are told: "90 minutes" is clearer than "2 hours". */
const longestInMinutes = 90 * minute

/** How long to wait, in English and rounded up, so that the time is never named too short: "3 hours". Takes seconds. */
export function waitInWords(seconds: number): string {
  const [unit, name] = seconds <= longestInMinutes ? ([minute, 'minute'] as const) : ([hour, 'hour'] as const)
  const count = Math.max(1, Math.ceil(seconds / unit))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
