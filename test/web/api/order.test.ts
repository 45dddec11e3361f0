import { describe, expect, test } from 'bun:test'
import { tokenFrom } from '../../../src/domain/account/token.ts'
import { created } from '../../support/api.ts'
import { cdevent } from '../../support/cdevents.ts'
import { storedDeployments } from '../../support/deployments.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

/** Everything that can be wrong with a call, in the order of reporting that docs/decisions.md#announce gives. */
const faults = [
  { fault: 'method', status: 405, error: 'method_not_allowed' },
  { fault: 'no token', status: 401, error: 'Unauthorized' },
  { fault: 'unknown token', status: 401, error: 'Unauthorized' },
  { fault: 'rate', status: 429, error: 'rate_limited' },
  { fault: 'media type', status: 415, error: 'unsupported_media_type' },
  { fault: 'size', status: 413, error: 'payload_too_large' },
  { fault: 'syntax', status: 400, error: 'bad_request' },
  { fault: 'fields', status: 422, error: 'validation_error' },
] as const

type Fault = (typeof faults)[number]['fault']

const pairs = faults.flatMap((first, index) => faults.slice(index).map((second) => [first, second] as const))

/** An announcement with fields, and as a CDEvent. */
const bodies = {
  fields: {
    type: 'application/json',
    right: { message: 'Deployed' },
    wrong: { message: '' },
  },
  event: {
    type: 'application/cloudevents+json',
    right: { specversion: '1.0', data: cdevent('deployed', '0.3.0') },
    wrong: { specversion: '1.0', data: cdevent('deployed', '0.3.0', { service: '' }) },
  },
} as const

const houses = await Promise.all(
  (['public', 'members'] as const).flatMap((visibility) =>
    (['fields', 'event'] as const).map(async (body) => {
      const service = await useService({ RATE_LIMIT_PER_MINUTE: '1', VISIBILITY: visibility })
      return { visibility, body, service, fresh: await signUpPoster(service) }
    }),
  ),
)

describe.each(houses)(
  'of two faults in $body, with VISIBILITY=$visibility, the first is reported:',
  (house) => {
    test.each(pairs)('$fault, not $fault', async (first, second) => {
      const response = await callWith(house, new Set([first.fault, second.fault]))
      expect(response.status).toBe(first.status)
      expect(await response.json()).toMatchObject({ error: first.error })
    })

    test('and of a call with all of them, the method', async () => {
      expect((await callWith(house, new Set(faults.map(({ fault }) => fault)))).status).toBe(405)
    })

    test('and none of them is recorded, while a call without any is', async () => {
      expect(await storedDeployments(house.service.db, house.fresh.username)).toEqual([])
      await created(await callWith(house, new Set()))
    })
  },
)

type House = (typeof houses)[number]

async function callWith(house: House, wrong: ReadonlySet<Fault>): Promise<Response> {
  const { type, ...values } = bodies[house.body]
  const text = JSON.stringify(wrong.has('fields') ? values.wrong : values.right)
  const written = wrong.has('syntax') ? text.slice(0, -1) : text
  return await house.service.fetch('/api', {
    method: wrong.has('method') ? 'PUT' : 'POST',
    headers: {
      ...(await authorization(house, wrong)),
      'Content-Type': wrong.has('media type') ? type.replace('json', 'plain') : type,
    },
    body: wrong.has('size') ? written.padEnd(64 * 1024 + 1) : written,
  })
}

async function authorization(house: House, wrong: ReadonlySet<Fault>): Promise<Record<string, string>> {
  if (wrong.has('no token')) return {}
  if (wrong.has('unknown token')) return { Authorization: `Bearer ${tokenFrom(new Uint8Array(32).fill(7))}` }
  return { Authorization: `Bearer ${wrong.has('rate') ? await spentToken(house) : house.fresh.token}` }
}

/** The token of somebody who has just announced the one of their minute. */
async function spentToken({ service }: House): Promise<string> {
  const spent = await signUpPoster(service)
  await created(await spent.announce({ message: 'The one of this minute' }))
  return spent.token
}
