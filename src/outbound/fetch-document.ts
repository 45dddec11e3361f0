const maxBytes = 256 * 1024

/**
 * Fetches a JSON document from elsewhere. Follows no redirect and reads at most 256 KiB. Rejects with whatever
 * is wrong, and when the signal says that it took too long.
 */
export async function fetchDocument(address: string, signal: AbortSignal): Promise<unknown> {
  const headers = { Accept: 'application/json' }
  const response = await fetch(address, { redirect: 'error', headers, signal })
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}`)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(response)))
}

/** Counted as they come and after decompression: what a server declares binds it to nothing. */
async function readBytes({ body, url }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`${url} answers more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
