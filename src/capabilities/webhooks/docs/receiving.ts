import { shortDuration } from '../../../domain/time.ts'
import { retryDelaysMs, tryMs } from '../delivery/retries.ts'

/** What a receiver of webhooks has to know about tries. */
export const tryTimes = `A try fails after ${spanOf(tryMs)}, and is repeated after ${retryDelaysMs.map(spanOf).join(', ')}; then the webhook is paused.`

function spanOf(milliseconds: number): string {
  return shortDuration(milliseconds) ?? `${milliseconds / 1_000} s`
}
