import type { Reasons } from '../reasons.ts'
import type { Issuer, IssuerKind } from './issuer.ts'

/** What an owner types to trust a pipeline; null is any. */
export type TrustedPipeline = {
  readonly issuer: string
  readonly repository: string
  readonly workflow: string | null
  readonly environment: string | null
}

type Fields = Readonly<Record<'issuer' | 'repository' | 'workflow' | 'environment', string>>

const repositories: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^[\w-]{1,100}\/[\w.-]{1,100}$/, 'must be an owner and a name, such as ada/engine'],
  gitlab: [/^[\w.-]+(\/[\w.-]+)+$/, 'must be a group and a project, such as ada/engine'],
  other: [/^[\x21-\x7e]+$/, 'must be the whole sub of its tokens, without spaces'],
}

const workflows: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^[^/@\p{Cc}]+\.ya?ml$/u, 'must be the name of a file in .github/workflows, such as deploy.yml'],
  gitlab: [/^[^@\p{Cc}]+\.ya?ml$/u, 'must be the path of the configuration, such as .gitlab-ci.yml'],
  other: [/^$/, 'is not told by this issuer: leave it empty'],
}

const environments: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^\P{Cc}+$/u, 'must be one line'],
  gitlab: [/^\P{Cc}+$/u, 'must be one line'],
  other: [/^$/, 'is not told by this issuer: leave it empty'],
}

const maxCharacters = 255

/** Reads the form of a publisher; the issuer is one of these. Spaces around what was typed are ignored. */
export function parsePublisher(
  fields: Fields,
  issuers: readonly Issuer[],
): { readonly pipeline: TrustedPipeline } | { readonly reasons: Reasons } {
  const issuer = issuers.find(({ address }) => address === fields.issuer)
  if (issuer === undefined) return { reasons: { issuer: ['must be one of these'] } }
  const repository = fields.repository.trim()
  const workflow = fields.workflow.trim()
  const environment = fields.environment.trim()
  const reasons = {
    ...reasonsOf('repository', repository, repositories[issuer.kind]),
    ...(workflow === '' ? {} : reasonsOf('workflow', workflow, workflows[issuer.kind])),
    ...(environment === '' ? {} : reasonsOf('environment', environment, environments[issuer.kind])),
  }
  if (Object.keys(reasons).length > 0) return { reasons }
  return {
    pipeline: {
      issuer: issuer.address,
      repository,
      workflow: workflow || null,
      environment: environment || null,
    },
  }
}

function reasonsOf(name: string, text: string, [form, reason]: readonly [RegExp, string]): Reasons {
  if (text === '') return { [name]: ["can't be blank"] }
  if (text.length > maxCharacters) return { [name]: [`must be at most ${maxCharacters} characters`] }
  return form.test(text) ? {} : { [name]: [reason] }
}
