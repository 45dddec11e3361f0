let count = 0

/** With this in the environment a test chooses the address that its requests come from. */
export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' }

/** The header of a request from an address that no test has used, so that throttles do not mix. */
export function fromNewAddress(): Record<string, string> {
  count += 1
  return { 'X-Forwarded-For': `10.0.${Math.floor(count / 250)}.${(count % 250) + 1}` }
}
