import { type Field, invalid, valid } from '../../domain/field-parsing.ts'
import { parseTargets } from '../../domain/restriction.ts'
import { countedFor, isNamedProject, type TargetFields, targetOf } from '../../domain/target.ts'

export const maxJoined = 100

/** How many of the last deployments are shown with what was read from them. */
export const lastRead = 10

/** A spelling and the target that it is joined into. */
export type Joined = { readonly spelling: string; readonly target: string }

export const joinFields = ['spelling', 'target'] as const

/** Reads one target as forms take it. */
export function parseTarget(text: string): Field<string> {
  const read = parseTargets(text)
  if (read.outcome === 'invalid') return read
  const [target, another] = read.value
  if (target === undefined) return invalid("can't be blank")
  return another === undefined ? valid(target) : invalid('can be only one')
}

/**
 * The target into which a spelling is joined when its user asks for this, given what is joined already: that of the
 * target, if it is a joined spelling itself. The reasons of a refusal go with its field.
 */
export function joiningOf(asked: Joined, joined: readonly Joined[]) {
  const targetIn = (spelling: string) => joined.find((one) => one.spelling === spelling)?.target
  const target = targetIn(asked.target) ?? asked.target
  if (asked.spelling === asked.target) return refused('target', 'is the same project')
  if (target === asked.spelling) return refused('target', 'is joined into that project: separate it first')
  if (targetIn(asked.spelling) !== undefined)
    return refused('spelling', 'is joined into another project already: separate it first')
  if (joined.length >= maxJoined)
    return refused('spelling', `cannot be joined: you have joined ${maxJoined}, which is the limit`)
  return { outcome: 'joined', target } as const
}

export function refused(field: (typeof joinFields)[number], reason: string) {
  return { outcome: 'refused', reasons: { [field]: [reason] } } as const
}

/** Why a deployment counts for its target, in a few words. */
export function reasonOfTarget(deployment: TargetFields & { readonly target: string | null }): string {
  const { target: spelling } = countedFor(deployment)
  if (spelling === null) return 'no link and no name'
  if (spelling !== deployment.target) return 'joined'
  const target = targetOf(spelling)
  if (target !== null && isNamedProject(target)) return 'named by the announcement'
  return target === null || target.path.length === 0 ? 'the host of the link' : 'the beginning of the link'
}
