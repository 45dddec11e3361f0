import { describe, expect, test } from 'bun:test'
import { json } from '../../support/api.ts'
import { cdevent } from '../../support/cdevents.ts'
import { type Delivery, githubDeployment, gitlabDeployment, sha } from '../../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../../support/intake/intakes.ts'
import { textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

const [older, newer] = [sha, 'b'.repeat(40)] as [string, string]

/** A payload of a forge, with another commit. */
function ofCommit(delivery: Delivery, commit: string): Delivery {
  const text = JSON.stringify(delivery.payload).replaceAll(sha, commit)
  return { ...delivery, payload: JSON.parse(text.replaceAll(sha.slice(0, 8), commit.slice(0, 8))) }
}

/** Each way in: it makes the function that announces a commit in an environment. */
const ways: Readonly<Record<string, (by: Poster) => Promise<Announce>>> = {
  'POST /api': async (by) => async (commit, environment) => {
    const url = 'https://github.com/ada/engine'
    return await by.announce({ message: 'Deployed', url, commit, environment })
  },
  'the intake for GitHub': async (by) => {
    const intake = await madeIntake(by, 'github')
    return (commit, environment, id) =>
      deliver(service, intake, ofCommit(githubDeployment({ id, environment }), commit))
  },
  'the intake for GitLab': async (by) => {
    const intake = await madeIntake(by, 'gitlab')
    return (commit, environment, id) =>
      deliver(service, intake, ofCommit(gitlabDeployment({ id, environment }), commit))
  },
  'a CDEvent': async (by) => async (commit, environment, id) => {
    const customData = { url: 'https://github.com/ada/engine', commit }
    const event = cdevent('deployed', '0.3.0', { id: String(id), environment, customData })
    return await by.post(json(event), { 'ce-specversion': '1.0', 'ce-id': String(id), 'ce-type': 'b' })
  },
}

type Announce = (commit: string, environment: string, id: number) => Promise<Response>
type Listed = { id: number; commit: string; rollback?: true; previous?: { commit: string }; compare?: string }

async function read<Answer>(path: string): Promise<Answer> {
  return (await (await service.fetch(path)).json()) as Answer
}

describe.each(Object.entries(ways))('A rollback by %s', (way, wayOf) => {
  test('is live, is marked, and shows what was taken back', async () => {
    const ada = await signUpPoster(service)
    const announce = await wayOf(ada)
    const calls = [
      [older, 'staging'],
      [older, 'production'],
      [newer, 'staging'],
      [newer, 'production'],
      [older, 'production'],
    ] as const
    for (const [n, [commit, environment]] of calls.entries()) {
      expect((await announce(commit, environment, n + 1)).status).toBe(201)
    }

    const { current } = await read<{
      current: readonly { environment: string; commit: string; target: string }[]
    }>(`/api/current?user=${ada.username}`)
    expect(current.map(({ environment, commit }) => [environment, commit])).toEqual([
      ['production', older],
      ['staging', newer],
    ])
    const { deployments } = await read<{ deployments: readonly Listed[] }>(
      `/api/deployments?user=${ada.username}`,
    )
    expect(deployments.map(({ rollback = false }) => rollback)).toEqual([true, false, false, false, false])
    expect(deployments[0]?.previous?.commit).toBe(newer)
    const compare = deployments[0]?.compare
    if (compare !== undefined) expect(compare).toEndWith(`/compare/${older}...${newer}`)

    const target = current[0]?.target
    const board = await (await service.fetch(`/${ada.username}/${target}`)).text()
    expect(textOf(board, '.live-in .ahead > summary')).toBe('1 ahead of production')
    expect(textOf(board, '.live-in .back-to')).toBe('rolled back')
    const release = way === 'a CDEvent' ? 'v2.4.0' : older.slice(0, 7)
    expect(textOf(board, '.entry .back-to').trim()).toBe(`back to ${release}`)
  })
})
