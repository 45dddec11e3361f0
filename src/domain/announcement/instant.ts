import { dayOf } from '../time.ts'

/** RFC 3339. */
export const instantForm = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** The instant of a timestamp with its UTC offset (RFC 3339); null for any other text. */
export function timestampIn(text: string): Date | null {
  if (!instantForm.test(text)) return null
  const instant = new Date(text.toUpperCase())
  // A parser may read 30 February as a day of March.
  const isDay = dayOf(text.slice(0, '2024-03-12'.length)) !== null
  return isDay && !Number.isNaN(instant.getTime()) ? instant : null
}
