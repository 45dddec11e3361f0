import { stages } from './environment/stages.ts'
import { readTag } from './tag.ts'
import { wordList } from './word-list.ts'

/** Well-known hosts whose paths start with the owner and the name of a repository. */
const publicForges = wordList(
  'bitbucket.org codeberg.org git.sr.ht gitea.com gitee.com github.com gitlab.com',
)

/** Whether a host is a well-known forge, where an owner and a name are a repository. */
export function isPublicForge(host: string): boolean {
  return publicForges.has(host)
}

/** GitLab's separator: on any host, the path before it is a project, however deep. */
export const separator = '-'

/** After a project, each of these segments starts the address of a page of the project. */
const partsOfProjects = wordList(`
  actions blob commit commits compare issues job jobs merge_requests pipelines pull pull-requests pulls
  releases src tag tags tree
`)

/** On a host that is no forge, so do these, and also at the beginning of the path: the project is then the host. */
const partsOfHosts = wordList(`
  build builds commit commits compare issues jobs merge_requests pipelines pull pull-requests pulls
  release releases run runs tag tags workflows
`)

/** How the addresses of CI and deploy tools begin, up to the name of the project that they know. */
const formsOfTools: readonly RegExp[] = [
  // A job of Jenkins in its folders and views, and the same in Blue Ocean.
  /^(?:(?!job\/)[^/]+\/)?(?:view\/[^/]+\/)*job\/(?!\d+(?:\/|$))[^/]+(?:\/job\/[^/]+)*/,
  /^(?:[^/]+\/)?blue\/organizations\/[^/]+\/[^/]+/,
  // CircleCI
  /^pipelines\/(?:bb|bitbucket|circleci|gh|github)\/[^/]+\/[^/]+/,
  // Concourse
  /^teams\/[^/]+\/pipelines\/[^/]+/,
  // GoCD
  /^go\/pipelines\/(?:value_stream_map\/)?[^/]+/,
  // Woodpecker
  /^repos\/\d+(?=\/|$)/,
  // Argo CD: a namespace with an application.
  /^applications\/[^/]+\/(?!\d+$)[^/]+$/,
  // AWS
  /^codesuite\/(?:codebuild\/(?:\d+\/)?projects|codepipeline\/pipelines)\/[^/]+/,
  // Cloudflare
  /^[\da-f]{32}\/pages\/view\/[^/]+/,
  // Heroku
  /^apps\/[^/]+(?=\/activity\/)/,
  // Azure DevOps
  /^(?:[^/]+\/){0,3}_git\/[^/]+/,
]

/** The same as one expression, because links are read often. */
const projectOfTool = new RegExp(formsOfTools.map(({ source }) => source).join('|'))

/** Usual names of Jenkins jobs that build one branch, or deploy to one environment. */
const branches: ReadonlySet<string> = new Set(['main', 'master', 'trunk', ...stages.flat()])

/** The optional end of a repository's address, which also ends the project. */
const suffix = '.git'

/** The number of segments of a project if the address does not show where it ends. */
const defaultSegments = 2

/** How many of the segments of a path are the project (docs/decisions.md#targets). */
export function lengthOfProject(host: string, segments: readonly string[]): number {
  const isForge = isPublicForge(host)
  const ofTool = isForge ? null : lengthInTool(segments)
  let withRepository = Number.POSITIVE_INFINITY
  let part = ofTool ?? Number.POSITIVE_INFINITY
  let index = 0
  for (const segment of segments) {
    if (segment === separator) return Math.min(index, withRepository)
    if (
      isForge
        ? index >= defaultSegments && partsOfProjects.has(segment)
        : ofTool === null && startsPage(segment, index)
    ) {
      part = Math.min(part, index)
    }
    index += 1
    if (hasSuffix(segment)) withRepository = Math.min(withRepository, index)
  }
  const end = Math.min(part, withRepository)
  return end < Number.POSITIVE_INFINITY ? end : Math.min(segments.length, defaultSegments)
}

/** How many segments name the project in the address of a tool; null for other addresses. */
function lengthInTool(segments: readonly string[]): number | null {
  const [found] = projectOfTool.exec(segments.join('/')) ?? []
  if (found === undefined) return null
  const { length } = found.split('/')
  return hasNeedlessEnd(segments.slice(0, length)) ? length - 2 : length
}

/**
 * Whether the end of such a name tells less than what is before: a job of Jenkins for a branch, or the first repository
 * of a project in Azure DevOps, whose runs are pages of the project.
 */
function hasNeedlessEnd(name: readonly string[]): boolean {
  const [kind, project, part] = [name.at(-4), name.at(-3), name.at(-2)]
  const last = name.at(-1) ?? ''
  if (part === '_git') return last === project
  return (
    kind === 'job' && part === 'job' && (branches.has(last) || last.includes('%2f') || /^pr-\d+$/.test(last))
  )
}

/** Whether a segment on a host that is no forge starts a page, such as that of a build. */
function startsPage(segment: string, index: number): boolean {
  return partsOfHosts.has(segment) || (index > 0 && partsOfProjects.has(segment)) || /^\d+$/.test(segment)
}

/** A segment without `.git` at its end. One that is only `.git` is a name. */
export function withoutSuffix(segment: string): string {
  let name = segment
  while (hasSuffix(name)) name = name.slice(0, -suffix.length)
  return name
}

function hasSuffix(segment: string): boolean {
  return segment.length > suffix.length && segment.endsWith(suffix)
}

/** The words before a tag in the address of its page. */
const beforeTag: readonly (readonly string[])[] = [
  ['releases', 'tag'],
  ['src', 'tag'],
  ['releases'],
  ['tags'],
]

/** Names before a version that say where it goes or how far it is, not what it is. */
const noPackages: ReadonlySet<string> = new Set([
  ...stages.flat(),
  ...wordList('alpha beta deploy hotfix nightly rc rel stable'),
])

/** Names by which builds tag a repository as a whole: `engine-parent-1.2.0`. */
const wholes = wordList('build parent project release root')

const wordsOfCharts = wordList('chart charts helm')

/**
 * The segments of the package of a repository whose tag an address names behind the project: `@ada/read@1.2.0` and
 * `read-v1.2.0` are of a package. Empty if there is none, or if it is called like the repository.
 */
export function packageIn(project: readonly string[], rest: readonly string[]): readonly string[] {
  const words = rest[0] === separator ? rest.slice(1) : rest
  const found = beforeTag.find((before) => before.every((word, n) => words[n] === word))
  if (found === undefined) return []
  const tag = words.slice(found.length).join('/').replaceAll('%2f', '/')
  const { package: name, number } = readTag(tag)
  const isOfPackage =
    name !== '' && (tag[name.length] === '@' || number.startsWith('v') || isKnownPart(project, name, tag))
  if (!isOfPackage || noPackages.has(name) || name === project.at(-1)) return []
  const segments = name.split('/')
  return segments.every((segment) => /^[\w@][\w.~@+-]*$/.test(segment)) ? segments : []
}

/**
 * Whether a tag is of a package although its number has no `v`, which elsewhere may be a tag of the whole: a scope of npm
 * (`@ada/read/1.2.0`), a crate that extends the name of its repository (`engine-read-1.2.0`), a chart of Helm, or two words
 * and an underscore, as in the SDKs of Azure (`ada-read_1.2.0`).
 */
function isKnownPart(project: readonly string[], name: string, tag: string): boolean {
  const repository = project.at(-1) ?? ''
  const words = name.split(/[-_./]/)
  const last = words.at(-1) ?? ''
  if (wholes.has(last) || noPackages.has(last)) return false
  return (
    name.startsWith('@') ||
    name.startsWith(`${repository}-`) ||
    [...words, ...repository.split(/[-_./]/)].some((word) => wordsOfCharts.has(word)) ||
    (tag[name.length] === '_' && /[-.]/.test(name))
  )
}
