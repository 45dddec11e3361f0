import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const running = new Set<Bun.Subprocess>()

/** A server in a process of its own, as all servers that a benchmark compares. */
export type Server = {
  readonly url: string
  readonly pid: number
  /** The first process of the Postgres that it queries, which starts all others; null without a database. */
  readonly postmaster: number | null
  stop(): Promise<void>
}

/** Starts a program of this repository that prints where it listens. */
export async function startServer(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  running.add(child)
  return {
    url: `http://127.0.0.1:${await portOf(child.stdout)}`,
    pid: child.pid,
    postmaster: null,
    async stop() {
      child.kill()
      await child.exited
      running.delete(child)
    },
  }
}

/** Ends all processes that still run, so that a failed benchmark leaves none. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** The processes of the Postgres with this postmaster. */
export function processesOf(postmaster: number): readonly number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)]
}

/** The memory that a process holds, in bytes. */
export function residentBytes(pid: number): number {
  return bytesOf(pid, 'status', 'VmRSS')
}

/** The part of it that is pages of files, which all processes of the same program share. */
export function fileBytes(pid: number): number {
  return bytesOf(pid, 'status', 'RssFile')
}

/** The same of the Postgres with this postmaster, whose processes share most of it. */
export function bytesOfPostgres(postmaster: number): number {
  return processesOf(postmaster).reduce((sum, pid) => sum + shareOf(pid), 0)
}

/** Of pages that several processes hold, each has its share. */
function shareOf(pid: number): number {
  try {
    return bytesOf(pid, 'smaps_rollup', 'Pss')
  } catch {
    // The process has ended since.
    return 0
  }
}

function bytesOf(pid: number, file: 'status' | 'smaps_rollup', name: string): number {
  const text = readFileSync(`/proc/${pid}/${file}`, 'utf8')
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? []
  return Number(kilobytes) * 1024
}

async function portOf(output: Bun.Subprocess<'ignore', 'pipe', 'inherit'>['stdout']): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  void read()
  return promise

  /** The output is read to its end, because a process stops at a full pipe. */
  async function read(): Promise<void> {
    let text = ''
    for await (const part of output.pipeThrough(new TextDecoderStream())) {
      text += part
      const [, port] = /listens on [\d.]+:(\d+)/.exec(text) ?? []
      if (port !== undefined) resolve(Number(port))
    }
    reject(new Error(`The process ended: ${text}`))
  }
}
