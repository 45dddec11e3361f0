/** What is sent, possibly to many: compressed once, when the first of them can take it so. */
export type Compressible = { readonly plain: string; readonly gzipped: () => Uint8Array<ArrayBuffer> }

/** Below this the headers weigh as much as is saved. */
const leastCharacters = 1024

export function compressible(plain: string): Compressible {
  let gzipped: Uint8Array<ArrayBuffer> | null = null
  return {
    plain,
    gzipped() {
      gzipped ??= Bun.gzipSync(plain)
      return gzipped
    },
  }
}

/** Answers with the text, compressed where it is worth it and the one who asks says that they can read it. */
export function respondCompressed(
  { plain, gzipped }: Compressible,
  request: Request,
  { headers, ...init }: { readonly status?: number; readonly headers: Readonly<Record<string, string>> },
): Response {
  if (plain.length < leastCharacters || !acceptsGzip(request))
    return new Response(plain, { ...init, headers })
  return new Response(gzipped(), { ...init, headers: { ...headers, 'Content-Encoding': 'gzip' } })
}

/** `gzip;q=0` refuses it (RFC 9110, 12.5.3). */
function acceptsGzip(request: Request): boolean {
  const codings = (request.headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(coding))
}
