import { join } from 'node:path'
import { perRequest, usedBy } from './cpu.ts'
import type { Server } from './processes.ts'
import type { Figures } from './rounds.ts'
import { scratchFile } from './scratch.ts'

const script = join(import.meta.dir, 'requests.lua')

type Load = { readonly seconds: number; readonly connections?: number }

/**
 * Sends random requests of a file for this many seconds over 64 connections, or the number given, shared among
 * the servers. Throws if any of them fails.
 */
export async function wrk(
  servers: Server | readonly Server[],
  requests: RequestFile,
  { seconds, connections = 64 }: Load,
): Promise<Figures> {
  const all = 'url' in servers ? [servers] : servers
  const share = { seconds, connections: connections / all.length }
  const before = usedBy(all)
  const results = await Promise.all(all.map(({ url }) => run(url, requests, share)))
  const after = usedBy(all)
  const answered = results.reduce((sum, result) => sum + result.requests, 0)
  return {
    rate: results.reduce((sum, { requests, us }) => sum + (requests / us) * 1e6, 0),
    p50: Math.max(...results.map(({ p50 }) => p50)) / 1e3,
    p99: Math.max(...results.map(({ p99 }) => p99)) / 1e3,
    cpu: perRequest(before, after, answered, all),
  }
}

type Result = { requests: number; us: number; p50: number; p99: number; failed: number }

let runs = 0

async function run(
  url: string,
  { path, encoding }: RequestFile,
  { seconds, connections }: Required<Load>,
): Promise<Result> {
  runs += 1
  const options = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, url]
  const process = Bun.spawn(['wrk', ...options, '--', path, encoding, String(runs)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(process.stdout).text()
  const result = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Result
  if (result.failed > 0) throw new Error(`${result.failed} requests of ${path} to ${url} failed`)
  return result
}

/** Where the requests for wrk are, and how their answers may be compressed. */
export type RequestFile = { readonly path: string; readonly encoding: 'gzip' | 'identity' }

/** A request of a pipeline has a token and a body; all others have neither. */
export type Request = { readonly path: string; readonly token?: string; readonly body?: unknown }

/** In a body, wrk replaces this by a unique number of the same length, so that the Content-Length stays right. */
export const ownNumber = '000000000000'

export function requestFile(name: string, requests: readonly Request[]): RequestFile {
  const lines = requests.map(({ path, token = '', body }) =>
    [path, token, body === undefined ? '' : JSON.stringify(body)].join('\t'),
  )
  return { path: scratchFile(name, lines.map((line) => `${line}\n`).join('')), encoding: 'gzip' }
}

/** Says how to get wrk if it is missing. */
export function requireWrk(): void {
  if (Bun.which('wrk') !== null) return
  console.error('The benchmark needs wrk and pgbench: apt-get install wrk postgresql')
  process.exit(1)
}
