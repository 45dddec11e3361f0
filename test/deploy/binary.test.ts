import { afterAll, beforeAll, describe, expect, test as testAnywhere } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dependencies, version } from '../../package.json'
import { assetAddresses } from '../../src/web/assets.ts'
import { everyCommand } from '../support/configuration.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { binary } from '../support/deploy/binary.ts'
import { codeUnder } from '../support/deploy/operations.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { untilReady } from '../support/eventually.ts'
import { textOf } from '../support/markup.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { decodePng } from '../support/png.ts'
import {
  doorOf,
  endOf,
  freePort,
  type Process,
  startCommand,
  temporaryDirectory,
} from '../support/process.ts'

const { test } = needing('curl')
let program: string
beforeAll(async () => {
  program = await binary()
})

describe('The one binary', () => {
  const directory = temporaryDirectory()
  afterAll(directory.remove)

  test('runs within two minutes by following the docs, and survives being killed', async () => {
    const began = performance.now()
    copyFileSync(program, join(directory.path, 'shipfeed'))
    // It must ignore other files of its folder.
    writeFileSync(join(directory.path, '.env'), 'PORT=none\nBASE_URL=none\n')
    writeFileSync(join(directory.path, 'bunfig.toml'), 'preload = ["./none.ts"]\n')
    const documented = ['/bin/sh', '-c', `exec ${codeUnder('The binary', 'sh')}`]
    // The documented port may be taken here.
    const place = { cwd: directory.path, env: { HOST: '127.0.0.1', PORT: String(freePort()) } }
    const first = startCommand(documented, place)
    const door = doorOf(await first.url)
    const ada = await signUpPoster(door)
    const snippet = textOf(await (await door.fetch('/docs')).text(), '#with-form-fields')
    expect(snippet).toContain(`curl http://localhost:${place.env.PORT}/api`)
    const announced = await outcomeOf(['/bin/sh', '-c', snippet], {
      env: { PATH: process.env.PATH ?? '', SHIPFEED_TOKEN: ada.token },
    })
    expect(announced.said).toContain('"status":"success"')
    expect(await badgeOf(door, ada)).toBe('Fresh')
    const [, id] = /"id":(\d+)/.exec(announced.said) ?? []
    // The binary also has the worker that draws it, its WebAssembly and its font.
    const card = await door.fetch(`/${ada.username}/${id}/card.png`)
    expect(decodePng(await card.bytes()).width).toBe(1200)
    expect(performance.now() - began).toBeLessThan(120_000)

    first.child.kill('SIGKILL')
    await first.child.exited
    const second = startCommand(documented, place)
    await second.url
    expect(await badgeOf(door, ada)).toBe('Fresh')
    for (const address of [assetAddresses.app, assetAddresses.css, assetAddresses.htmx]) {
      expect([address, (await door.fetch(address)).status]).toEqual([address, 200])
    }
    expect(await run(['healthcheck'], place.env)).toEqual({ code: 0, output: 'ready\n' })
    await end(second)
    expect(readdirSync(directory.path).sort()).toEqual(['.env', 'bunfig.toml', 'data', 'shipfeed'])
  }, 600_000)

  testAnywhere('keeps nothing in its folder on Postgres', async () => {
    const { path, remove } = temporaryDirectory()
    const { url, drop } = await createPostgresDatabase()
    const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: url }
    const service = startCommand([program], { cwd: path, env })
    // With the default rate limit.
    const door = doorOf(await service.url, 60)
    await untilReady(door)
    const ada = await signUpPoster(door)
    expect((await ada.announce({ message: 'One binary' })).status).toBe(201)
    expect(await badgeOf(door, ada)).toBe('Fresh')
    await end(service)
    expect(readdirSync(path)).toEqual([])
    await drop()
    remove()
  })

  testAnywhere('prints its version and its commands, and refuses anything else in one line', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, output: `${version}\n` })
    const { code, output } = await run(['help'])
    expect([code, output]).toEqual([0, expect.stringContaining('Usage: shipfeed <command>')])
    const listed = [...output.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)
    const every = everyCommand()
    expect(listed).toEqual(every.map(({ name }) => name))
    for (const { name, usage } of every) expect(usage).toMatch(new RegExp(`^npm start -- ${name}\\b`))
    const help = await run(['seed', '--help'])
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('Usage: shipfeed seed\n')])
    const { output: alerts } = await run(['help', 'alerts'])
    expect(alerts).toContain('| `ShipfeedDown` | page |')
    expect(await run(['healthcheck'], { PORT: '1' })).toEqual({
      code: 1,
      output: 'Shipfeed healthcheck: http://127.0.0.1:1/readyz does not answer (ECONNREFUSED)\n',
    })
    expect((await run(['nothing'])).code).toBe(1)
  })

  test('prints the licence of each package that is inside', async () => {
    const { code, output } = await run(['licenses'])
    expect(code).toBe(0)
    const shown = output.replaceAll(/\s+/g, ' ')
    // Its maps name every file of code that is in it, and it has fonts, a WebAssembly and a script besides.
    const maps = [`${program}.map`, join(dirname(program), 'png-worker.js.map')]
    const sources = maps.flatMap((file): string[] => JSON.parse(readFileSync(file, 'utf8')).sources)
    const bundled = sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
    const packages = new Set([...bundled, ...Object.keys(dependencies)])
    expect(packages.size).toBeGreaterThan(20)
    // It is installed as a program, and its own heading says more.
    packages.delete('bun')
    for (const name of packages) {
      expect([name, output.includes(`\n${name}\n`)]).toEqual([name, true])
      const folder = join(import.meta.dir, '../../node_modules', name)
      for (const file of readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))) {
        const text = readFileSync(join(folder, file), 'utf8').trim().replaceAll(/\s+/g, ' ')
        expect([name, shown.includes(text)]).toEqual([name, true])
      }
    }
  })

  async function run(words: readonly string[], environment: Record<string, string> = {}) {
    return await endOf(startCommand([program, ...words], { cwd: directory.path, env: environment }))
  }
})

async function badgeOf(door: ReturnType<typeof doorOf>, { username }: Poster): Promise<string> {
  const badge = await door.fetch(`/badge/${username}.json`)
  return ((await badge.json()) as { message: string }).message
}

async function end(service: Process): Promise<void> {
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
}
