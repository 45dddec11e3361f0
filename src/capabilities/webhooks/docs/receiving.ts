import { hour, minute } from '../../../domain/time.ts'
import { retryDelaysMs, tryMs } from '../delivery/retries.ts'

/** What a receiver of webhooks has to know about tries. */
export const tryTimes = `A try fails after ${spanOf(tryMs)}, and is repeated after ${retryDelaysMs.map(spanOf).join(', ')}; then the webhook is paused.`

function spanOf(milliseconds: number): string {
  if (milliseconds < minute) return `${milliseconds / 1_000} s`
  return milliseconds < hour ? `${milliseconds / minute} min` : `${milliseconds / hour} h`
}
