/**
 * An instant as the API writes it (decisions, "POST /api"): `2025-11-21T06:49:00Z`, UTC, the second begun,
 * without a fraction. An invalid Date is a RangeError.
 */
export function timestampOf(instant: Date): string {
  return instant.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
