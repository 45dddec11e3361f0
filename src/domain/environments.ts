import type { Deployment } from './deployment.ts'

/** The newest deployment of a target to an environment: what is live there. */
export type Current = { readonly target: string; readonly deployment: Deployment }

/**
 * The environments whose order is known, in the order in which a change reaches them, in the form of
 * environmentKey (docs/decisions.md#environments). Those in one line are equally far.
 */
export const stages = [
  ['dev', 'develop', 'development'],
  ['test', 'testing', 'qa', 'integration'],
  ['uat', 'acceptance'],
  ['staging', 'stage', 'stg', 'preprod', 'pre-prod', 'preproduction', 'pre-production'],
  ['production', 'prod', 'live'],
] as const
