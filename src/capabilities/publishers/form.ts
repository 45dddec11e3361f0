import {
  allValid,
  type Field,
  fieldOf,
  invalid,
  type ParsedForm,
  parseTyped,
  valid,
} from '../../domain/field-parsing.ts'
import { forgeOf, type Issuer, type IssuerKind } from '../../domain/issuer.ts'
import { type Publisher, sourceIn, sourceReason } from './match.ts'

export type TrustedPipeline = Omit<Publisher, 'repositoryId' | 'ownerId'>

export const maxPublishers = 50

type Rule = readonly [form: RegExp, reason: string]

const repositories: Readonly<Record<IssuerKind, Rule>> = {
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

const absent: Rule = [/^$/, 'is not in the tokens of this issuer: leave it empty']
const ofNoForge = { buildkite: absent, circleci: absent, other: absent }

const workflows: Readonly<Record<IssuerKind, Rule>> = {
  ...ofNoForge,
  github: [/^[^/@\p{Cc}]+\.ya?ml$/u, 'must be the name of a file in .github/workflows, such as deploy.yml'],
  gitlab: [/^[^@\p{Cc}]+\.ya?ml$/u, 'must be the path of the configuration, such as .gitlab-ci.yml'],
}

const oneLine: Rule = [/^\P{Cc}+$/u, 'must be one line']
const environments: Readonly<Record<IssuerKind, Rule>> = { ...ofNoForge, github: oneLine, gitlab: oneLine }

/** Reads the form of a publisher of one of these issuers. The address of a repository is read as its name. */
export function parsePublisher(
  fields: Readonly<Record<keyof TrustedPipeline, string>>,
  issuers: readonly Issuer[],
): ParsedForm<TrustedPipeline> {
  const issuer = issuers.find(({ address }) => address === fields.issuer)
  if (issuer === undefined) return { outcome: 'invalid', reasons: { issuer: ['must be one of these'] } }
  const { address, kind } = issuer
  return allValid<TrustedPipeline>({
    issuer: valid(address),
    repository: parseTyped(fields.repository, 'link', (pasted) =>
      parseTyped(repositoryNameIn(pasted, issuer), 'pipelineName', (name) => parseRepository(name, kind)),
    ),
    workflow: parseTyped(fields.workflow, 'pipelineName', (text) => parseOptional(text, workflows[kind])),
    environment: parseTyped(fields.environment, 'pipelineName', (text) =>
      parseOptional(text, environments[kind]),
    ),
  })
}

/** Refuses a beginning or a claim that would let strangers announce. */
function parseRepository(name: string, kind: IssuerKind): Field<string> {
  const reason = kind === 'other' ? sourceReason(sourceIn(name)) : null
  if (reason !== null) return invalid(reason)
  return name === '' ? invalid("can't be blank") : parseField(name, repositories[kind])
}

function parseOptional(text: string, rule: Rule): Field<string | null> {
  return text === '' ? valid(null) : parseField(text, rule)
}

function parseField(text: string, [form, reason]: Rule): Field<string> {
  return fieldOf(text, form.test(text) ? [] : [reason])
}

/** `ada/engine` for its address, the beginning of `sub` on Buildkite and CircleCI, else the text itself. */
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
