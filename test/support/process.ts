import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.ts'
import { checkerOf } from './openapi.ts'
import type { Service } from './service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A process of ours. */
export type Process = {
  readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  /** Everything that it has printed so far. */
  readonly output: () => string
  /** Resolves when it has printed its last. */
  readonly printed: Promise<void>
  /** Its address, once it has said where it listens; throws when it ends before. */
  readonly url: Promise<string>
}

/** Starts a file, with arguments, with these variables and none of ours, on a port of its own. */
export function startProcess(
  environment: Record<string, string>,
  file = 'src/main.ts',
  ...words: string[]
): Process {
  return startCommand([process.execPath, file, ...words], placeOf({ ...unlimited, ...environment }))
}

/** This repository, with these variables and none of ours. */
export function placeOf(environment: Record<string, string>): Place {
  const usual = { HOST: '127.0.0.1', PORT: '0', BASE_URL: 'http://shipfeed.test' }
  return { cwd: root, env: { PATH: process.env.PATH ?? '', ...usual, ...environment } }
}

type Place = { readonly cwd: string; readonly env: Record<string, string> }

const started: Bun.Subprocess[] = []

/** Starts any command that says where it listens, in a folder, with these variables alone. */
export function startCommand(command: readonly string[], place: Place): Process {
  const child = Bun.spawn([...command], {
    ...place,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  started.push(child)
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text
      const [, port] = /listens on 127\.0\.0\.1:(\d+)/.exec(output) ?? []
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    }
  })
  const printed = Promise.all(reading).then(() => reject(new Error(`The process ended: ${output}`)))
  // Not every test asks for the address.
  promise.catch(() => {})
  return { child, output: () => output, printed, url: promise }
}

/** Ends what a test that failed halfway has left running. Called by the preload after each file. */
export function endProcesses(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL')
}

/** The front door of a process that allows that many announcements a minute, as `Service` has it. */
export function doorOf(url: string, perMinute = 0): Pick<Service, 'fetch' | 'described'> {
  const described = checkerOf({ perMinute })
  return { described, fetch: (path, init) => described.fetch(url + path, init) }
}

/** The front door behind a proxy, which adds headers and answers of its own: nothing is held to what we declare. */
export function proxiedDoorOf(url: string): Pick<Service, 'fetch'> {
  return { fetch: (path, init) => fetch(url + path, { redirect: 'manual', ...init }) }
}

const unlimited = { RATE_LIMIT_PER_MINUTE: '0', SIGN_UPS_PER_HOUR: '0' }

/** Waits for the end of a process and tells its exit code and what it printed. */
export async function endOf({ child, output, printed }: Process): Promise<{ code: number; output: string }> {
  const code = await child.exited
  // What it printed last may arrive after its end.
  await printed
  return { code, output: output() }
}

/** What a process printed, line by line: its log, in which a start says what it does, and all else. */
export function linesOf(output: string): { readonly log: string[]; readonly others: string[] } {
  const lines = output.trimEnd().split('\n')
  const isOfLog = (line: string) => line.startsWith('{"at":')
  return { log: lines.filter(isOfLog), others: lines.filter((line) => !isOfLog(line)) }
}

/** Where a process tells collectors what it counts, which METRICS_PORT=0 turns on. */
export async function metricsUrlOf({ output }: Process): Promise<string> {
  const found = () => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(output())?.[0]
  // It says so on another pipe than the one with its address, and that pipe may be read later.
  await eventually('it says where its metrics are', () => found() !== undefined)
  return found() ?? ''
}

/** An empty directory, and how to get rid of it. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'shipfeed-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const cleaners: Bun.Subprocess[] = []

/** Runs a command when this process has ended, in whatever way: `bun test` runs nothing of ours at its end. */
export function afterThisProcess(...command: readonly string[]): void {
  const waiting = ['sh', '-c', 'read -r _; sleep 1; exec "$@"', 'sh', ...command]
  const cleaner = Bun.spawn(waiting, { cwd: root, stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
  cleaner.unref()
  // Its input must stay open as long as this process lives.
  cleaners.push(cleaner)
}

/**
 * A port of 127.0.0.1 on which nothing listens, another one each time: for a server that has to be told its port, or
 * that keeps it through a restart. It is below the ports that Linux gives to clients and to servers that ask for any: one
 * of those could take it before that server starts, or while it is down.
 */
export function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (isFree(port) && reserve(port)) return port
  }
}

const given = new Set<number>()

/** False if it was given before, here or, of one run, in another process of the tests. */
function reserve(port: number): boolean {
  if (given.has(port)) return false
  given.add(port)
  const { TEST_PORTS: folder } = process.env
  if (folder === undefined) return true
  try {
    closeSync(openSync(join(folder, String(port)), 'wx'))
    return true
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error
    return false
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
    return true
  } catch {
    return false
  }
}
