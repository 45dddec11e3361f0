import { expect } from 'bun:test'
import type { Poster } from './people.ts'
import type { Service } from './service.ts'

/** A body as it goes over the wire, and its media type, where it has one. */
export type Body = { readonly type?: string; readonly bytes: string | Uint8Array | ReadableStream }

export type Fields = Readonly<Record<string, string>>

/** The three forms of a body, by name, for tables. */
export const bodyForms = { json, form, multipart } as const

export function json(value: unknown): Body {
  return { type: 'application/json', bytes: JSON.stringify(value) }
}

export function form(fields: Fields): Body {
  return { type: 'application/x-www-form-urlencoded', bytes: new URLSearchParams(fields).toString() }
}

const boundary = 'ship-7d1c0f'

/** Written by hand: what FormData writes differs between runtimes in how it treats line ends. */
export function multipart(fields: Fields): Body {
  return multipartOf(Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)))
}

export function multipartOf(parts: readonly Uint8Array[]): Body {
  const bytes = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** One part, with the parameters of its disposition: `name="message"`. */
export function part(parameters: string, value: string | Uint8Array): Uint8Array {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')])
}

/** Calls POST /api, without a media type unless the body or the headers have one. */
export async function post(
  service: Pick<Service, 'fetch'>,
  token: string | null,
  { type, bytes }: Body,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await service.fetch('/api', {
    method: 'POST',
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...headers,
    },
    // As bytes: fetch gives a string a media type of its own.
    body: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes,
  })
}

/** The record of a 201. */
export async function created(response: Response): Promise<Record<string, unknown> & { id: number }> {
  expect(response.status).toBe(201)
  expectJsonHeaders(response)
  const body = await response.text()
  expect(body).toEndWith('}\n')
  return JSON.parse(body) as Record<string, unknown> & { id: number }
}

/** Asserts the answer to a call without a working token. */
export async function expectUnauthorized(response: Response): Promise<void> {
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expectJsonHeaders(response)
  expect(await response.text()).toBe('{"error":"Unauthorized"}\n')
}

/** Asserts the shape that every other error has. */
export async function expectError(response: Response, status: number, error: string): Promise<void> {
  expect(response.status).toBe(status)
  expectJsonHeaders(response)
  expect(await response.json()).toEqual({ error, message: expect.stringMatching(/^[A-Z].{10,}/s) })
}

/** Asserts a validation error, and gives its details. */
export async function invalid(response: Response): Promise<Record<string, string[]>> {
  expect(response.status).toBe(422)
  expectJsonHeaders(response)
  const { details, ...rest } = (await response.json()) as { details: Record<string, string[]> }
  expect<unknown>(rest).toEqual({ error: 'validation_error', message: expect.stringMatching(/^[A-Z].{10,}/) })
  for (const reasons of Object.values(details)) expect(reasons).not.toBeEmpty()
  return details
}

function expectJsonHeaders({ headers }: Response): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.getSetCookie()).toEqual([])
}

export type ImportAnswer = {
  readonly added: number
  readonly known: number
  readonly refused: readonly { readonly index: number; readonly details: Record<string, string[]> }[]
}

/** Calls POST /api/history with items as JSON. */
export async function postImport(
  service: Pick<Service, 'fetch'>,
  { token }: Pick<Poster, 'token'>,
  items: unknown,
): Promise<Response> {
  return await service.fetch('/api/history', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(items),
  })
}

/** Adds history; throws where the answer is not 200. */
export async function addImport(
  service: Pick<Service, 'fetch'>,
  poster: Pick<Poster, 'token'>,
  items: readonly object[],
): Promise<ImportAnswer> {
  const response = await postImport(service, poster, items)
  expect(response.status).toBe(200)
  return (await response.json()) as ImportAnswer
}

/** A release of a project at an instant, with a key of its own. */
export function release(n: number, deployed_at: string, more: object = {}): object {
  return {
    message: `Release ${n}`,
    url: `https://github.com/ada/engine/releases/tag/v${n}`,
    version: `v${n}`,
    deployed_at,
    ...more,
  }
}
