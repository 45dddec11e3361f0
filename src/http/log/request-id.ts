/** Gives the id by which the lines of one request are found together. */
export type RequestIds = (request: Request) => string

/** What proxies and tracers send: no id is so long, and nothing of it could break a line of the log. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/

/**
 * Makes the giver of request ids: a trusted proxy's X-Request-Id, so that our lines and its own are found
 * together, else a random one. An id is made when a line first needs it, since most requests have no line.
 */
export function requestIds(isFromTrustedProxy: (request: Request) => boolean): RequestIds {
  const given = new WeakMap<Request, string>()

  return (request) => {
    const known = given.get(request)
    if (known !== undefined) return known
    const sent = request.headers.get('x-request-id') ?? ''
    const id = wellFormed.test(sent) && isFromTrustedProxy(request) ? sent : crypto.randomUUID()
    given.set(request, id)
    return id
  }
}
