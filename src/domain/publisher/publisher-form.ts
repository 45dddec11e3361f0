import type { ParsedForm, Reasons } from '../text-fields.ts'
import { forgeOf, type Issuer, type IssuerKind } from './issuer.ts'
import { sourceIn, sourceReason } from './match.ts'

/** The pipeline that an owner trusts, as the form describes it; null means any. */
export type TrustedPipeline = {
  readonly issuer: string
  readonly repository: string
  readonly workflow: string | null
  readonly environment: string | null
}

/** How many publishers a user may have. */
export const mostPublishers = 50

type Fields = Readonly<Record<'issuer' | 'repository' | 'workflow' | 'environment', string>>

const repositories: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^[\w-]{1,100}\/[\w.-]{1,100}$/, 'must be an owner and a name, such as ada/engine'],
  gitlab: [/^[\w.-]+(\/[\w.-]+)+$/, 'must be a group and a project, such as ada/engine'],
  buildkite: [
    /^organization:[^:]+:pipeline:[^:]+:([\x21-\x7e]+:)?$/,
    'must be an organization and a pipeline, such as acme/engine, or the beginning of sub up to a colon',
  ],
  circleci: [
    /^org\/[^/]+\/project\/[^/]+\/([\x21-\x7e]+\/)?$/,
    'must be the id of a project, or the beginning of sub up to a slash, such as org/…/project/…/',
  ],
  other: [
    /^[\x21-\x7e]+$/,
    'must be the complete sub of its tokens, its beginning up to a : or /, or a claim as name=value, without spaces',
  ],
}

const absent = [/^$/, 'is not in the tokens of this issuer: leave it empty'] as const

const workflows: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^[^/@\p{Cc}]+\.ya?ml$/u, 'must be the name of a file in .github/workflows, such as deploy.yml'],
  gitlab: [/^[^@\p{Cc}]+\.ya?ml$/u, 'must be the path of the configuration, such as .gitlab-ci.yml'],
  ...{ buildkite: absent, circleci: absent, other: absent },
}

const environments: Readonly<Record<IssuerKind, readonly [form: RegExp, reason: string]>> = {
  github: [/^\P{Cc}+$/u, 'must be one line'],
  gitlab: [/^\P{Cc}+$/u, 'must be one line'],
  ...{ buildkite: absent, circleci: absent, other: absent },
}

const maxCharacters = 255

/**
 * Reads the form of a publisher, whose issuer must be one of `issuers`. Surrounding spaces are ignored, and the
 * address of a repository is read as its name. Gives the pipeline, or the reasons to refuse each field.
 */
export function parsePublisher(fields: Fields, issuers: readonly Issuer[]): ParsedForm<TrustedPipeline> {
  const issuer = issuers.find(({ address }) => address === fields.issuer)
  if (issuer === undefined) return { outcome: 'invalid', reasons: { issuer: ['must be one of these'] } }
  const repository = repositoryNameIn(fields.repository.trim(), issuer)
  const workflow = fields.workflow.trim()
  const environment = fields.environment.trim()
  const reasons = {
    ...fieldReasons('repository', repository, repositories[issuer.kind]),
    ...(issuer.kind === 'other' ? sourceReasons(repository) : {}),
    ...(workflow === '' ? {} : fieldReasons('workflow', workflow, workflows[issuer.kind])),
    ...(environment === '' ? {} : fieldReasons('environment', environment, environments[issuer.kind])),
  }
  if (Object.keys(reasons).length > 0) return { outcome: 'invalid', reasons }
  return {
    outcome: 'valid',
    values: {
      issuer: issuer.address,
      repository,
      workflow: workflow || null,
      environment: environment || null,
    },
  }
}

/** The reason to refuse a beginning or a claim that says too little: the jobs of strangers could announce with it. */
function sourceReasons(repository: string): Reasons {
  const reason = sourceReason(sourceIn(repository))
  return reason === null ? {} : { repository: [reason] }
}

/**
 * `ada/engine` for `https://github.com/ada/engine/tree/main`, and the beginning of `sub` for a pipeline of Buildkite
 * or a project of CircleCI; any other text stays unchanged.
 */
function repositoryNameIn(pasted: string, issuer: Issuer): string {
  if (issuer.kind === 'buildkite') {
    const [, organization, pipeline] =
      /^(?:https:\/\/buildkite\.com\/)?([\w-]+)\/([\w-]+)(?:\/.*)?$/.exec(pasted) ?? []
    return pipeline === undefined ? pasted : `organization:${organization}:pipeline:${pipeline}:`
  }
  if (issuer.kind === 'circleci') {
    const organization = issuer.address.split('/').at(-1)
    return /^[\da-f-]{36}$/i.test(pasted) ? `org/${organization}/project/${pasted.toLowerCase()}/` : pasted
  }
  const forge = forgeOf(issuer)
  const text = pasted.replace(/^(https?|ssh):\/\//, '').replace(/^git@/, '')
  const begin = text.slice(0, forge?.length).toLowerCase()
  if (forge === null || begin !== forge.toLowerCase() || !/^[/:]/.test(text.slice(forge.length)))
    return pasted
  const [path = ''] = text.slice(forge.length + 1).split(/[?#]/)
  const name = issuer.kind === 'github' ? path.split('/').slice(0, 2).join('/') : path.split('/-/')[0]
  return (name ?? '').replace(/\/(-)?$/, '').replace(/\.git$/, '')
}

function fieldReasons(name: string, text: string, [form, reason]: readonly [RegExp, string]): Reasons {
  if (text === '') return { [name]: ["can't be blank"] }
  if (text.length > maxCharacters) return { [name]: [`must be at most ${maxCharacters} characters`] }
  return form.test(text) ? {} : { [name]: [reason] }
}
