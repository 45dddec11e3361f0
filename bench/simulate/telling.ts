import type { Costs } from './costs.ts'
import { demandOf, type Load, type Shape } from './demand.ts'
import { coresOfPostgres, type Limit, limitsOf, planned, shapeFor } from './sizing.ts'

/** The resources that a load takes, and which one runs out first, for a terminal. */
export function sized(load: Load, costs: Costs): string {
  const shape = shapeFor(load, costs)
  const demand = demandOf(load, shape, costs)
  const facts: readonly (readonly [string, string])[] = [
    ['processes', `${number(shape.processes)}, which use ${number(demand.ours)} cores; each has one`],
    ['Postgres', postgresOf(load, shape, costs)],
    ['connections', `${number(demand.connections)} of the primary`],
    ['memory', `${number(demand.gigabytes)} GB of the processes`],
    ['network', `${number(demand.gigabits)} Gbit/s`],
  ]
  const limits = limitsOf(load, shape, costs).map(
    ({ what, used, most, advice }) =>
      `${share(used / most).padStart(8)}  ${what} (${number(used)} of ${number(most)}): ${advice}`,
  )
  return [
    `${loadOf(load)}. Of cores, ${share(planned)} are planned for.`,
    '',
    ...facts.map(([name, text]) => `${name.padEnd(12)} ${text}`),
    '',
    'What runs out, the fullest first:',
    ...limits,
  ].join('\n')
}

/** The same for several loads as a Markdown table, each with its two fullest resources. */
export function table(loads: readonly Load[], costs: Costs): string {
  const rows = loads.map((load) => {
    const shape = shapeFor(load, costs)
    const demand = demandOf(load, shape, costs)
    const asked = [load.badges, load.announcements, load.watchers, load.events]
    const taken = [shape.processes, demand.ours, demand.primary, shape.standbys, demand.eachStandby]
    const told = [...asked, ...taken, demand.gigabytes, demand.gigabits].map(number)
    return [...told, limitsOf(load, shape, costs).slice(0, 2).map(ending).join('; ')]
  })
  const asked = ['badges a second', 'announcements a second', 'watchers', 'events a second to each']
  const taken = [
    'processes',
    'cores of these',
    'cores of the primary',
    'standbys',
    'cores of each',
    'GB of memory',
    'Gbit/s',
    'fullest',
  ]
  const head = [...asked, ...taken]
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function postgresOf(load: Load, shape: Shape, costs: Costs): string {
  const { primary, eachStandby } = demandOf(load, shape, costs)
  const own = `a primary, which uses ${number(primary)} of ${coresOfPostgres} cores`
  if (shape.standbys === 0) return own
  return `${own}, and ${number(shape.standbys)} synchronous standbys, each ${number(eachStandby)}`
}

function loadOf({ badges, announcements, watchers, events }: Load): string {
  const watching = watchers === 0 ? '' : `, ${number(watchers)} watchers of ${number(events)} events a second`
  return `${number(badges)} badges and ${number(announcements)} announcements a second${watching}`
}

function ending({ what, used, most }: Limit): string {
  return `${what}: ${share(used / most)}`
}

function share(part: number): string {
  return `${number(part * 100)} %`
}

/** To two digits, so that it does not look more exact than it is: 0.012, 3.4, 120, 1,000,000. */
function number(value: number): string {
  return value.toLocaleString(
    'en',
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  )
}
