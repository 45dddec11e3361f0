/** An announcement that has passed through this many webhooks is refused, which ends loops. */
export const maxHops = 2

/** How many webhooks an announcement has passed through by its header `Shipfeed-Hop`; null if too many or invalid. */
export function readHops(header: string | null): number | null {
  if (header === null) return 0
  return /^\d$/.test(header) && Number(header) < maxHops ? Number(header) : null
}
