import { type Body, form } from '../api.ts'
import type { Service } from '../service.ts'

/** Calls POST /api/oidc. */
export async function exchange(
  service: Pick<Service, 'fetch'>,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  bodyOf: (fields: Record<string, string>) => Body = form,
): Promise<Response> {
  const { type, bytes } = bodyOf(fields)
  return await service.fetch('/api/oidc', {
    method: 'POST',
    headers: { ...(type === undefined ? {} : { 'Content-Type': type }), ...headers },
    body: bytes as string,
  })
}
