import { type Finding, right, wrong } from '../../commands/finding.ts'
import type { Unfit } from './fitness.ts'

/** `unfit`: why the standby may not be read, or null. */
export type SeenStandby = { readonly name: string; readonly unfit: Unfit | null }

/** A line of `check`. */
export function standbyFinding({ name, unfit }: SeenStandby): Finding {
  if (unfit === null) return right('standby', `${name} is read from`)
  if (unfit.kind === 'primary') return right('standby', `${name} is a primary`)
  const why = `${unfit.why}${unfit.kind === 'setting' ? ' (READS=eventual accepts stale answers)' : ''}`
  return wrong('standby', `the standby ${name} of DATABASE_READ_URL is not read from: ${why}`)
}
