import { afterAll, expect, test } from 'bun:test'
import { day } from '../../src/domain/time.ts'
import { databaseForProcess } from '../support/database.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

test('with PRUNE_AFTER, a start deletes what is older, except the last of each target, and says so', async () => {
  const { environment, drop } = await databaseForProcess()
  const before = startProcess(environment)
  const door = doorOf(await before.url)
  await untilReady(door)
  const poster = await signUpPoster(door)
  const items = [
    { message: 'Oldest of all', days: 400 },
    { message: 'Last one there', days: 390, url: 'https://a.example/1' },
    { message: 'Quite new', days: 20 },
  ].map(({ days, ...item }) => ({
    ...item,
    key: item.message,
    deployed_at: new Date(Date.now() - days * day).toISOString(),
  }))
  const sent = await door.fetch('/api/history', {
    method: 'POST',
    headers: { Authorization: `Bearer ${poster.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(items),
  })
  expect(await sent.json()).toMatchObject({ added: 3 })
  expect(await shownAt(await before.url, poster)).toEqual(['Oldest of all', 'Last one there', 'Quite new'])
  before.child.kill('SIGTERM')
  await endOf(before)

  const after = startProcess({ ...environment, PRUNE_AFTER: '30' })
  const url = await after.url
  await eventually('it has pruned', () => after.output().includes('"event":"pruned"'))
  expect(await shownAt(url, poster)).toEqual(['Last one there', 'Quite new'])
  after.child.kill('SIGTERM')
  const { output } = await endOf(after)
  expect(output).toContain('Deleted 1 deployments from before ')
  await drop()
})

/** Of those messages, the ones that the profile shows. */
async function shownAt(url: string, { username }: { username: string }): Promise<string[]> {
  const page = await (await fetch(`${url}/${username}`)).text()
  return ['Oldest of all', 'Last one there', 'Quite new'].filter((message) => page.includes(message))
}
