import { describe, expect, test } from 'bun:test'
import { created, json } from '../../support/api.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ BASE_URL: 'https://ship.example' })
const ada = await signUpPoster(service, { username: 'ada-of-comparisons' })

const engine = 'https://github.com/ada/engine'

type Record_ = Awaited<ReturnType<typeof created>>

async function deploy(fields: Record<string, unknown>, headers?: Record<string, string>): Promise<Record_> {
  return await created(await ada.announce({ message: 'Deployed', url: engine, ...fields }, headers))
}

/** The record of the address of one deployment. */
async function recordOf(id: number): Promise<Record_> {
  return (await (await service.fetch(`/api/deployments/${id}`)).json()) as Record_
}

async function listed(): Promise<readonly Record_[]> {
  const answer = await service.fetch(`/api/deployments?user=${ada.username}`)
  return ((await answer.json()) as { deployments: Record_[] }).deployments
}

describe('a record', () => {
  test('says what it replaced in its project and environment', async () => {
    const first = await deploy({ environment: 'production', version: 'v1', commit: 'aaaaaaa' })
    expect(first).not.toContainAnyKeys(['previous', 'compare', 'rollback'])
    await deploy({ environment: 'staging', version: 'v2', commit: 'bbbbbbb' })
    await deploy({ environment: 'production', version: 'v2', url: 'https://github.com/ada/site' })
    await deploy({ version: 'v2' })
    const second = await deploy({ environment: 'Production', version: 'v2', commit: 'bbbbbbb' })
    expect(second).toMatchObject({
      previous: { id: first.id, version: 'v1', commit: 'aaaaaaa', page: first.page },
      compare: `${engine}/compare/aaaaaaa...bbbbbbb`,
    })
    expect(second).not.toContainKey('rollback')
    const back = await deploy({ environment: 'production', version: 'v1' })
    expect(back).toMatchObject({
      previous: { id: second.id, version: 'v2', commit: 'bbbbbbb' },
      rollback: true,
      compare: `${engine}/compare/v1...v2`,
    })
    const same = await deploy({ environment: 'production', version: 'v1' })
    expect(same).toMatchObject({ previous: { id: back.id, version: 'v1' } })
    expect(same).not.toContainAnyKeys(['compare', 'rollback'])
  })

  test('is the same wherever it is read', async () => {
    const posted = await deploy({ environment: 'production', version: 'v1.1' })
    expect(posted).toContainKeys(['previous', 'compare'])
    expect(await recordOf(posted.id)).toEqual(posted)
    expect((await listed())[0]).toEqual(posted)
    const stream = await service.fetch(`/api/deployments/live?user=${ada.username}&after=${posted.id - 1}`)
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    while (!text.includes('event: deployment'))
      text += Buffer.from((await reader.read()).value ?? []).toString()
    await reader.cancel()
    expect(JSON.parse(/event: deployment\n(?:id: .*\n)?data: (.*)/.exec(text)?.[1] ?? '')).toEqual(posted)
  })

  test('of a retry is that of the first call, whatever came later', async () => {
    const key = { 'Idempotency-Key': 'run-7' }
    const first = await deploy({ environment: 'production', version: 'v1.2' }, key)
    await deploy({ environment: 'production', version: 'v1.3' })
    expect(await deploy({ environment: 'production', version: 'v1.2' }, key)).toEqual(first)
  })

  test('that is only checked says what it would replace', async () => {
    const live = await deploy({ environment: 'production', version: 'v1.4' })
    const headers = { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' }
    const fields = { message: 'x', url: engine, environment: 'production', version: 'v1.5' }
    const body = json(fields).bytes as string
    const checked = await service.fetch('/api/check', { method: 'POST', headers, body })
    expect(await checked.json()).toMatchObject({
      previous: { id: live.id, version: 'v1.4', page: live.page },
      compare: `${engine}/compare/v1.4...v1.5`,
    })
  })

  test('replaces what was there before the first announcement', async () => {
    const item = { message: 'Old', url: engine, environment: 'uat', deployed_at: '2020-03-01T12:00:00Z' }
    const later = { ...item, version: 'v2', deployed_at: '2020-03-02T12:00:00Z' }
    const added = await service.fetch('/api/history', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([later, { ...item, version: 'v1' }]),
    })
    expect(added.status).toBeLessThan(300)
    const posted = await deploy({ environment: 'uat', version: 'v1' })
    expect(posted).toMatchObject({ previous: { version: 'v2' }, rollback: true })
    const { id } = posted.previous as { id: number }
    expect(id).toBeLessThan(0)
    expect(await recordOf(id)).toMatchObject({ imported: true, previous: { version: 'v1' } })
  })

  test('follows a withdrawal', async () => {
    const [one, two, three] = [
      await deploy({ environment: 'qa', version: 'v1' }),
      await deploy({ environment: 'qa', version: 'v2' }),
      await deploy({ environment: 'qa', version: 'v3' }),
    ]
    const headers = { Authorization: `Bearer ${ada.token}` }
    expect((await service.fetch(`/api/deployments/${two.id}`, { method: 'DELETE', headers })).status).toBe(
      204,
    )
    expect(await recordOf(three.id)).toMatchObject({ previous: { id: one.id, version: 'v1' } })
  })
})
