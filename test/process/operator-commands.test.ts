import { afterAll, expect, test } from 'bun:test'
import { testDatabaseUrl } from '../support/database.ts'
import { eitherDatabase } from '../support/either-database.ts'
import { untilReady } from '../support/eventually.ts'
import { openEventSource } from '../support/live/event-source.ts'
import { signUp, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

for (const [name, make] of eitherDatabase(directory.path)) {
  test.skipIf(name !== 'the embedded database' && testDatabaseUrl === undefined)(
    `on ${name}, while the service runs, an operator hides, closes and prunes, but not without being asked`,
    async () => {
      const { environment, drop } = await make()
      const service = startProcess(environment)
      const door = doorOf(await service.url)
      await untilReady(door)
      const run = (...words: string[]) => endOf(startProcess(environment, 'src/main.ts', ...words))
      const poster = await signUpPoster(door, { name: 'Ada' })
      const announced = await poster.announce({ message: 'Bad \u001b[31mwords\nand more' })
      const { id } = (await announced.json()) as { id: number }

      const watching = await openEventSource(door, '/feed/live')
      for (const words of [
        ['hide', String(id)],
        ['close', poster.username],
        ['prune', '--before', '2020-01-01'],
      ]) {
        const { code, output } = await run(...words)
        expect([code, output]).toEqual([
          1,
          expect.stringMatching(/^Shipfeed \w+: Delete .* for good\?.* add --yes$/m),
        ])
      }
      expect((await door.fetch(`/${poster.username}/${id}`)).status).toBe(200)

      const hidden = await run('hide', `http://shipfeed.test/${poster.username}/${id}`, '--yes')
      expect(hidden.output).toMatch(`Hid deployment ${id} of "${poster.username}" (Ada), announced at 20`)
      expect(hidden.output).toEndWith('Z:\nBad ␛[31mwords\n')
      expect((await door.fetch(`/${poster.username}/${id}`)).status).toBe(404)
      expect(await badge(poster.username)).toBe('Inactive')
      await watching.find(({ data }) => data?.includes(`"deployment-${id}" hx-swap-oob`) === true)
      watching.close()
      expect(await run('hide', String(id), '--yes')).toEqual({
        code: 1,
        output: `Shipfeed hide: there is no deployment ${id}: it may have been withdrawn\n`,
      })

      await poster.announce({ message: 'One more' })
      const closed = await run('close', poster.username, '--yes')
      expect(closed).toEqual({
        code: 0,
        output: `Closed the account "${poster.username}" (Ada): its sessions and its token have ended.\nDeleted its deployments (1). Nobody can have the username again.\n`,
      })
      expect((await door.fetch(`/${poster.username}`)).status).toBe(404)
      expect((await poster.announce({ message: 'Too late' })).status).toBe(401)
      await expect(signUp(door, { username: poster.username })).rejects.toThrow('taken')

      await run('seed')
      const day = new Date(Date.now() - 30 * 24 * 3600 * 1000).toISOString().slice(0, 10)
      const counted = await run('prune', '--before', day, '--dry-run')
      expect(counted.output).toMatch(/^Would delete \d{3,} deployments from before .*\n\d+ more are the last/)
      const pruned = await run('prune', `--before=${day}`, '--yes')
      expect(pruned).toEqual({ code: 0, output: counted.output.replace('Would delete', 'Deleted') })
      expect(await Promise.all(['ada', 'mshaw', 'dorothy'].map(badge))).toEqual(['Fresh', 'Quiet', 'Stale'])
      expect((await run('prune', '--before', day, '--dry-run')).output).toStartWith('Would delete 0 ')

      const checked = await run('check')
      expect(checked.output).toMatch(/^ok {5}schema {6}is of this version$/m)
      expect(checked).toEqual({ code: 0, output: expect.not.stringContaining('WRONG') })

      service.child.kill('SIGTERM')
      await endOf(service)
      // What is done in the background may change the sizes.
      const sizes = /\d+ MB/g
      expect((await run('check')).output.replaceAll(sizes, '')).toBe(checked.output.replaceAll(sizes, ''))
      await drop()

      async function badge(username: string): Promise<string> {
        return ((await (await door.fetch(`/badge/${username}.json`)).json()) as { message: string }).message
      }
    },
    60_000,
  )
}
