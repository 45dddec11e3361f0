import { weekdayOf } from '../time.ts'
import { daysInOverview, type Overview } from './overview.ts'

/**
 * The number of days in a row with an announcement. Today, Saturdays and Sundays neither count nor end the row if they
 * have none. Takes the days in order, that of the first announcement (all before it is history), and today. Infinity if
 * the row began before the days of an overview.
 */
export function streakOf(days: Overview['days'], firstAnnounced: number | null, today: number): number {
  let place = days.findLastIndex(({ day }) => day <= today)
  let length = 0
  for (let day = today; day >= (firstAnnounced ?? Number.POSITIVE_INFINITY); day -= 1) {
    if (today - day >= daysInOverview) return Number.POSITIVE_INFINITY
    if (days[place]?.day === day) {
      length += 1
      place -= 1
    } else if (day !== today && weekdayOf(day) < 5) break
  }
  return length
}
