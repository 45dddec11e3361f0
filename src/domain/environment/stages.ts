import { caselessKey } from '../field-parsing.ts'

/**
 * Environments in the order in which a change reaches them, in the form of environmentKey
 * (docs/decisions.md#environments). Those in one row are equally far.
 */
export const stages: readonly (readonly string[])[] = [
  ['dev', 'develop', 'development'],
  ['test', 'testing', 'tst', 'qa', 'sit', 'integration'],
  ['uat', 'acceptance', 'acc', 'hml'],
  [
    ...['staging', 'stage', 'stg', 'preprod', 'pre-prod', 'preproduction', 'pre-production'],
    ...['nonprod', 'non-prod', 'nonproduction', 'non-production'],
  ],
  ['production', 'prod', 'prd', 'live'],
]

/** Parts of the world in names of environments, as people and clouds write them, the longest first. */
const regions = `
  af africa america ap apac asia au australia br brazil ca canada central china cn de east emea eu europe fr france
  germany india japan jp korea kr latam na north sa sg singapore south uk us usa west
`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)

/** What separates the words of a name, for JavaScript and for Postgres. */
export const wordEnd = '[-_./]'
const wordEnds = new RegExp(wordEnd)
/** Before the number of one of several environments, such as `qa1`. */
const beforeNumber = /(?<=[a-z])(?=\d{1,2}(?:[-_./]|$))/g
/** No name of a stage and a region has more words. */
const maxWords = 8

/** The first words of environments that can be ahead of a later one: those of all stages but the last. */
export const stagesBefore = stages
  .slice(0, -1)
  .flatMap((names) => names.map((name) => name.split('-')[0] ?? ''))

/** The order that an owner gave the environments, in the form of environmentKey; null or missing for the usual one. */
export type OwnOrder = readonly string[] | null | undefined

/** How many stages there are in an order. */
export function stagesIn(order: OwnOrder): number {
  return (order ?? stages).length
}

/** The index of an environment's stage, which for `production` and `prod-eu` is that of the last; null if not known. */
export function stageOf(environment: string, order: OwnOrder): number | null {
  return placeOf(environment, order)?.stage ?? null
}

/** The index of an environment's stage, and its number or region, '' for none; null if its name is not known. */
export function placeOf(
  environment: string,
  order: OwnOrder,
): { readonly stage: number; readonly region: string } | null {
  const key = caselessKey(environment)
  const whole = order?.indexOf(key) ?? -1
  if (whole !== -1) return { stage: whole, region: '' }
  const words = key.replace(beforeNumber, '-').split(wordEnds, maxWords + 1)
  if (words.length > maxWords) return null
  for (const length of [2, 1]) {
    for (let first = 0; first + length <= words.length; first += 1) {
      const name = words.slice(first, first + length).join('-')
      const stage = order?.indexOf(name) ?? stages.findIndex((names) => names.includes(name))
      const [before, after] = [words.slice(0, first), words.slice(first + length)]
      const isNumbered = /^\d{1,2}$/.test(after[0] ?? '')
      if (stage !== -1 && isRegion(before) && isRegion(isNumbered ? after.slice(1) : after)) {
        return { stage, region: [...before, ...after].join('') }
      }
    }
  }
  return null
}

/** Whether words name a part of the world, such as `us-east-1`, `westeurope` or `eastus2`, or there are none. */
function isRegion(words: readonly string[]): boolean {
  return words.every((word, n) => {
    let rest = word.replace(/\d{1,2}$/, '')
    if (rest === '') return n > 0 && word !== ''
    while (rest !== '') {
      const part = regions.find((one) => rest.startsWith(one))
      if (part === undefined) return false
      rest = rest.slice(part.length)
    }
    return true
  })
}

/** First those whose environment has a place in an order, by that place, then the others as they are given. */
export function inOrder<One>(
  all: readonly One[],
  environmentOf: (one: One) => string,
  order: OwnOrder,
): readonly One[] {
  const placed = all.map((one) => ({ one, stage: stageOf(environmentOf(one), order) ?? stagesIn(order) }))
  return placed.toSorted((a, b) => a.stage - b.stage).map(({ one }) => one)
}

/**
 * The `max` whose environments are the latest in an order, then the newest others, as `inOrder` gives them. Takes them
 * with the newest first.
 */
export function nearestToProduction<One>(
  newestFirst: readonly One[],
  environmentOf: (one: One) => string,
  max: number,
  order: OwnOrder,
): readonly One[] {
  const staged = newestFirst.map((one) => ({ one, stage: stageOf(environmentOf(one), order) ?? -1 }))
  const nearest = staged.toSorted((a, b) => b.stage - a.stage).slice(0, max)
  const kept = new Set(nearest.map(({ one }) => one))
  return inOrder(
    newestFirst.filter((one) => kept.has(one)),
    environmentOf,
    order,
  )
}

/** The environments of the latest stage that any of these has, in all its regions; none if no name is known. */
export function ofLastStage(environments: readonly string[], order: OwnOrder): readonly string[] {
  const places = environments.map((environment) => stageOf(environment, order))
  const last = Math.max(...places.map((stage) => stage ?? -1))
  return environments.filter((_, n) => last !== -1 && places[n] === last)
}
