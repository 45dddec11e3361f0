import type { Costs } from './costs.ts'
import { demandOf, type Load, type Shape } from './demand.ts'

/** The planned share of the capacity. The rest is for bursts and failures. */
export const planned = 0.6
/** The cores of a machine with Postgres. */
export const coresOfPostgres = 16
/** The default of Postgres (max_connections). */
const connectionsInstalled = 100
/** The default of STREAMS_MAX. */
const watchersEach = 10_000
/** The bandwidth in front of all processes, as of one balancer. */
const gigabits = 10

/** If this many are not enough, more would not help. */
const mostProcesses = 10_000
const mostStandbys = 100

/** The fewest processes and standbys of which none exceeds its planned share. */
export function shapeFor(load: Load, costs: Costs): Shape {
  let processes = Math.max(1, Math.ceil(load.watchers / watchersEach))
  let standbys = 0
  while (true) {
    const { ours, primary, eachStandby } = demandOf(load, { processes, standbys }, costs)
    const reading = standbys === 0 ? primary : eachStandby
    if (ours > planned * processes && processes < mostProcesses) processes += 1
    else if (reading > planned * coresOfPostgres && standbys < mostStandbys) standbys += 1
    else return { processes, standbys }
  }
}

/** A resource that can run out, how much of it is used, and what to do before it runs out. */
export type Limit = {
  readonly what: string
  readonly used: number
  readonly most: number
  readonly advice: string
}

/** The resources, the fullest first. */
export function limitsOf(load: Load, { processes, standbys }: Shape, costs: Costs): readonly Limit[] {
  const demand = demandOf(load, { processes, standbys }, costs)
  const limits: readonly Limit[] = [
    {
      what: 'the core of each process',
      used: demand.ours / processes,
      most: 1,
      advice: 'start more processes',
    },
    {
      what: 'open feeds of each process',
      used: load.watchers / processes,
      most: watchersEach,
      advice: 'start more processes, or raise STREAMS_MAX and the open files',
    },
    {
      what: 'the cores of the primary',
      used: demand.primary,
      most: coresOfPostgres,
      advice: 'read badges from standbys, let fewer processes have watchers, or take a larger machine',
    },
    {
      what: 'the cores of each standby',
      used: demand.eachStandby,
      most: coresOfPostgres,
      advice: 'add a standby',
    },
    {
      what: 'the one write path',
      used: demand.writing,
      most: 1,
      advice: 'batches are written one after the other: only a faster core, disk and network help',
    },
    {
      what: 'connections of the primary',
      used: demand.connections,
      most: connectionsInstalled,
      advice: 'raise max_connections, or put pgbouncer before it',
    },
    {
      what: 'Gbit/s of the network',
      used: demand.gigabits,
      most: gigabits,
      advice: 'several balancers, fewer watchers of everything, or a CDN for badges',
    },
  ]
  return limits.toSorted((a, b) => b.used / b.most - a.used / a.most)
}
