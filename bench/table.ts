import { cpus, totalmem } from 'node:os'
import type { Cpu } from './cpu.ts'
import { serverVersion } from './data-sets/server.ts'
import type { Figures } from './rounds.ts'

/** A measured pair, and its aim in docs/figures.md. */
export type Row = {
  readonly what: string
  readonly ours: string
  readonly peer?: string
  /** The figure that the aim is about, such as the ratio of the two. */
  readonly measure?: number
  readonly unit?: string
  readonly aim?: Aim
  /** CPU time of a request. */
  readonly cpu?: { readonly ours: Cpu; readonly peer?: Cpu }
}

export type Aim = { readonly atMost: number } | { readonly atLeast: number }

/** The head of a table in Markdown. */
export const tableHead = `| what | ours | peer | CPU a request: ours | peer | measure | aim | |
|---|---|---|---|---|---|---|---|`

/** The rows as lines of that table. */
export function tableRows(rows: readonly Row[]): string {
  return rows.map((row) => `| ${cellsOf(row).join(' | ')} |`.replaceAll('  ', ' ')).join('\n')
}

function cellsOf({ what, ours, peer = '', measure, unit = '', aim, cpu }: Row): string[] {
  return [
    what,
    ours,
    peer,
    cpuOf(cpu?.ours),
    cpuOf(cpu?.peer),
    measure === undefined ? '' : rounded(measure) + unit,
    aim === undefined ? '' : 'atMost' in aim ? `≤ ${aim.atMost}${unit}` : `≥ ${aim.atLeast}${unit}`,
    aim === undefined || measure === undefined ? '' : isMet(measure, aim) ? 'met' : '**missed**',
  ]
}

/** Compares the rounded figures: 1.90 is not above 1.9. */
function isMet(measure: number, aim: Aim): boolean {
  const told = Number(rounded(measure))
  return 'atMost' in aim ? told <= aim.atMost : told >= aim.atLeast
}

/** Compares two rates. */
export function rates(what: string, ours: Figures, peer: Figures, aim?: Aim): Row {
  return {
    what,
    ours: perSecond(ours.rate),
    peer: perSecond(peer.rate),
    measure: ours.rate / peer.rate,
    cpu: { ours: ours.cpu, peer: peer.cpu },
    ...(aim === undefined ? {} : { aim }),
  }
}

/** Our process and Postgres together, in µs. */
export function inAll({ own, postgres }: Cpu): number {
  return (own ?? 0) + (postgres ?? 0)
}

/** The machine that was measured on, for the line above the table. */
export async function machine(): Promise<string> {
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  const versions = `Bun ${Bun.version}, Postgres ${await serverVersion()}`
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GB; ${versions}; load generator, service and database on the same machine.`
}

/** 32 + 14 µs: the server, and Postgres. */
function cpuOf(cpu: Cpu | undefined): string {
  const parts = [cpu?.own, cpu?.postgres].filter((us) => us !== undefined && us !== null)
  return parts.length === 0 ? '' : `${parts.map(rounded).join(' + ')} µs`
}

/** 84,210/s */
function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

/** 1.2 ms */
export function inMs(ms: number): string {
  return `${rounded(ms)} ms`
}

/** 68 MB */
export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`
}

/** To three digits: 0.67, 12.3, 1,240. */
export function rounded(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en', { useGrouping: value >= 1000 })
  return value.toFixed(value < 10 ? 2 : 1)
}
