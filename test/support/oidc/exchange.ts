import { type Body, form } from '../api.ts'
import { type Person, signUp } from '../people.ts'
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

/** Somebody who has just signed up, and trusts a publisher. */
export async function signUpTruster(
  service: Pick<Service, 'fetch'>,
  publisher: { readonly issuer: string; readonly repository: string },
): Promise<Person> {
  const person = await signUp(service, { name: 'Ada' })
  const added = await person.send('/settings/publishers', publisher)
  if (added.headers.get('location') !== '/settings?done=publisher-added')
    throw new Error(`${publisher.repository} was not added: ${added.status}`)
  return person
}
