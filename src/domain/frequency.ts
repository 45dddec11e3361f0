import type { DeploymentDay } from './overview.ts'
import { deploymentsBetween, median } from './statistics.ts'

type Rule = {
  /** DORA's word, and what DORA means by it. */
  readonly name: string
  readonly meaning: string
  /** Deployments are counted in this many periods of this many days, the last one ending today. */
  readonly period: string
  readonly periodDays: number
  readonly periods: number
  /** Periods before the first deployment are left out, but at least this many count. */
  readonly leastPeriods: number
  /** The fewest deployments of the median period. */
  readonly atLeast: number
}

const week = { period: 'weeks', periodDays: 7, periods: 12, leastPeriods: 4 }
const fourWeeks = { period: 'spans of four weeks', periodDays: 28, periods: 6, leastPeriods: 3 }
const halfYear = { period: 'six months', periodDays: 182, periods: 1, leastPeriods: 1 }

const yearly: Rule = {
  name: 'Yearly',
  meaning: 'less than once every six months',
  ...halfYear,
  atLeast: 0,
}

/** The answers to choose from in DORA's survey, the most frequent first. */
export const frequencies: readonly Rule[] = [
  { name: 'On demand', meaning: 'several times a day', ...week, atLeast: 8 },
  { name: 'Daily', meaning: 'between once a day and once a week', ...week, atLeast: 1 },
  { name: 'Weekly', meaning: 'between once a week and once a month', ...fourWeeks, atLeast: 1 },
  { name: 'Monthly', meaning: 'between once a month and once every six months', ...halfYear, atLeast: 1 },
  yearly,
]

export type Frequency = {
  readonly name: string
  readonly meaning: string
  /** Its basis: the median of this many periods. */
  readonly period: string
  readonly periods: number
  readonly median: number
}

/**
 * How often somebody deploys, in DORA's words. Takes their days in order and the number of today. The median
 * period decides, not the sum: one busy day does not make a daily rhythm.
 */
export function frequencyOf(days: readonly DeploymentDay[], today: number): Frequency {
  const [first] = days
  const history = first === undefined ? 0 : today - first.day + 1
  const medianOf = (rule: Rule) => median(countsOf(rule, days, today, history)) ?? 0
  const rule = frequencies.find((rule) => medianOf(rule) >= rule.atLeast) ?? yearly
  const { name, meaning, period } = rule
  return { name, meaning, period, periods: periodsOf(rule, history), median: medianOf(rule) }
}

function countsOf(rule: Rule, days: readonly DeploymentDay[], today: number, history: number): number[] {
  return Array.from({ length: periodsOf(rule, history) }, (_, index) => {
    const last = today - index * rule.periodDays
    return deploymentsBetween(days, last - rule.periodDays + 1, last)
  })
}

function periodsOf({ periodDays, periods, leastPeriods }: Rule, history: number): number {
  return Math.min(periods, Math.max(leastPeriods, Math.ceil(history / periodDays)))
}
