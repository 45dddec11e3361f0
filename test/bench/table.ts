import { cpus, totalmem } from 'node:os'
import { serverVersion } from './data-sets/postgres.ts'
import type { Figures } from './rounds.ts'

/** A measured pair. `aim` is what docs/figures.md asks of it, null where it asks nothing. */
export type Row = {
  readonly what: string
  readonly ours: string
  readonly peer: string
  readonly ratio: string
  readonly aim: string | null
}

/** The rows as a table in Markdown. */
export function table(rows: readonly Row[]): string {
  return [
    '| what | ours | beside | ratio | aim |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ what, ours, peer, ratio, aim }) => `| ${what} | ${ours} | ${peer} | ${ratio} | ${aim ?? ''} |`,
    ),
  ].join('\n')
}

/** A row that compares two rates. */
export function rates(what: string, ours: Figures, peer: Figures, aim: string | null): Row {
  return {
    what,
    ours: perSecond(ours.rate),
    peer: perSecond(peer.rate),
    ratio: ratioOf(ours.rate, peer.rate),
    aim,
  }
}

/** What was measured on, for the line above the table. */
export async function machine(): Promise<string> {
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  const versions = `Bun ${Bun.version}, Postgres ${await serverVersion()}`
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GB; ${versions}; load generator, service and database on the same machine.`
}

/** 84,210/s */
function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

/** 1.2 ms */
export function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`
}

/** 68 MB */
export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`
}

/** 0.67 */
export function ratioOf(ours: number, peer: number): string {
  return (ours / peer).toFixed(2)
}
