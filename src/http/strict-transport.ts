import { Elysia } from 'elysia'

/** Tells browsers to come by https only, where the public address is https. */
export function strictTransport({ baseUrl }: { baseUrl: string }) {
  const app = new Elysia({ name: 'strict-transport' })
  if (!baseUrl.startsWith('https:')) return app
  return app.onRequest(({ set }) => {
    set.headers['strict-transport-security'] = 'max-age=63072000; includeSubDomains'
  })
}
