import { contactAddress, type Site } from '../../../views/page/site.ts'
import { announcingOperations } from './announcing.ts'
import { badgeOperations, drawn } from './badges.ts'
import { type ApiDescription, type ApiTag, operationsWith } from './description.ts'
import { type Operation, type Operations, refusalAnswers } from './parts.ts'
import { readingOperations } from './reading.ts'
import { schemas } from './schemas.ts'

/** By default, everything is public, and there is only the core. */
type Options = Pick<Site, 'baseUrl' | 'operatorContact'> &
  Partial<Pick<Site, 'membersOnly' | 'publicBadges'>> & {
    /** The number of announcements accepted from a user in a minute; 0 means no limit. */
    readonly perMinute: number
    readonly added?: readonly ApiDescription[]
  }

type Named = Readonly<Record<string, object>>

export function openApi(options: Options) {
  const { baseUrl, operatorContact, perMinute, membersOnly = false, publicBadges = true } = options
  const { added = [] } = options
  const readable = membersOnly ? 'members only' : 'public'
  const tags: readonly ApiTag[] = [
    { name: 'Announce', description: 'For pipelines; needs a token' },
    { name: 'Read', description: 'The feed for programs', isFeed: true },
    {
      name: 'Badges',
      description: `How fresh the latest deployment of a user is, and their year${publicBadges ? '; public' : ''}`,
      isFeed: !publicBadges,
    },
    ...added.flatMap(({ tags = [] }) => tags),
  ]
  const closedTags = membersOnly ? tags.flatMap(({ name, isFeed }) => (isFeed ? name : [])) : []
  const byTokenAlone = ['/api/deployments/{id}', ...added.flatMap(({ byTokenAlone = [] }) => byTokenAlone)]
  const webhooks: Named = Object.assign({}, ...added.map((each) => each.webhooks))
  const ofAdded: Named = Object.assign({}, ...added.map((each) => each.schemas))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipfeed',
      version: '1',
      description:
        'Announce deployments, follow them, and show how fresh the latest one is. Unknown addresses below /api are ' +
        'answered with 404 and a problem in JSON. HEAD works wherever GET does.',
      license: { name: 'MIT', identifier: 'MIT' },
      ...(operatorContact === null ? {} : { contact: contactOf(operatorContact) }),
    },
    servers: [{ url: baseUrl }],
    tags: tags.map(({ name, description, isFeed }) => ({
      name,
      description: isFeed ? `${description}; ${readable}` : description,
    })),
    paths: pathsOf(
      operationsWith({ ...announcingOperations(perMinute), ...readingOperations, ...badgeOperations }, added),
      closedTags,
      byTokenAlone,
    ),
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
        ...(membersOnly ? readKeyScheme : {}),
      },
      schemas: { ...schemas(perMinute), ...ofAdded },
    },
  }
}

/** The operations by address, then by method. Those with a closed tag are only for members, some by a token alone. */
function pathsOf(operations: Operations, closedTags: readonly string[], byTokenAlone: readonly string[]) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    const isClosed = operation.tags.some((tag) => closedTags.includes(tag))
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = isClosed ? forMembers(path, operation, byTokenAlone) : operation
  }
  return paths
}

/** How readers prove that they may read. */
const readKeyScheme = {
  readKey: { type: 'apiKey', in: 'query', name: 'key', description: 'Made in the settings; can only read' },
}

function forMembers(path: string, operation: Operation, byTokenAlone: readonly string[]): Operation {
  const takesToken = operation.tags.includes('Read')
  const refused = refusalAnswers({
    unauthorized: 'Only members may read here: the key or token is missing or not valid.',
    ...(takesToken ? { forbidden: null } : {}),
  })
  return {
    ...operation,
    security: [
      ...(byTokenAlone.includes(path) ? [] : [{ readKey: [] }]),
      ...(takesToken ? [{ token: [] }] : []),
    ],
    responses: { ...operation.responses, ...(path.endsWith('.svg') ? drawn(refused) : refused) },
  }
}

/** The operator of this server, in the form that OpenAPI has for an email address, a link and other text. */
function contactOf(contact: string) {
  const address = contactAddress(contact)
  if (address === null) return { name: contact }
  return address.startsWith('mailto:') ? { email: contact } : { url: contact }
}
