import { join } from 'node:path'
import type { Figures } from './rounds.ts'
import { scratchFile } from './scratch.ts'

const script = join(import.meta.dir, 'requests.lua')

/**
 * Sends random requests of a file for so many seconds over 64 connections; throws where any of them fails.
 */
export async function wrk(
  url: string,
  requests: RequestFile,
  { seconds, connections = 64 }: { seconds: number; connections?: number },
): Promise<Figures> {
  const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}`, '-s', script, url, '--', requests.path]
  const process = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(process.stdout).text()
  const result = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Result
  if (result.failed > 0) throw new Error(`${result.failed} requests of ${requests.path} to ${url} failed`)
  return { rate: (result.requests / result.us) * 1e6, p50: result.p50 / 1e3, p99: result.p99 / 1e3 }
}

type Result = { requests: number; us: number; p50: number; p99: number; failed: number }

/** Where the requests for wrk are. */
export type RequestFile = { readonly path: string }

/** A request of a pipeline has a token and a body; of anybody else, neither. */
export type Request = { readonly path: string; readonly token?: string; readonly body?: unknown }

export function requestFile(name: string, requests: readonly Request[]): RequestFile {
  const lines = requests.map(({ path, token = '', body }) =>
    [path, token, body === undefined ? '' : JSON.stringify(body)].join('\t'),
  )
  return { path: scratchFile(name, lines.map((line) => `${line}\n`).join('')) }
}

/** Says how to get wrk where it is missing. */
export function requireWrk(): void {
  if (Bun.which('wrk') !== null) return
  console.error('The benchmark needs wrk and pgbench: apt-get install wrk postgresql')
  process.exit(1)
}
