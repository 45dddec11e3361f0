import { contactAddress, type Site } from '../../../views/page/site.ts'
import { announcingOperations } from './announcing.ts'
import { badgeOperations, drawn } from './badges.ts'
import { importOperations } from './import.ts'
import { type Operation, type Operations, refusalAnswers } from './parts.ts'
import { readingOperations } from './reading.ts'
import { schemas } from './schemas.ts'
import { tokenOperations } from './tokens.ts'
import { sentMessages } from './webhooks.ts'

/** By default, everything is public, and nothing is sent. */
type Options = Pick<Site, 'baseUrl' | 'operatorContact'> &
  Partial<Pick<Site, 'membersOnly' | 'publicBadges' | 'hasWebhooks'>> & {
    /** The number of announcements accepted from a user in a minute; 0 means no limit. */
    readonly perMinute: number
  }

/** The API in the OpenAPI format. */
export function openApi(options: Options) {
  const { baseUrl, operatorContact, perMinute, membersOnly = false, publicBadges = true } = options
  const { hasWebhooks = false } = options
  const readable = membersOnly ? 'members only' : 'public'
  const closedTags = membersOnly ? ['Read', 'Feeds', ...(publicBadges ? [] : ['Badges'])] : []
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
    tags: [
      { name: 'Announce', description: 'For pipelines; needs a token' },
      { name: 'Read', description: `The feed for programs; ${readable}` },
      {
        name: 'Badges',
        description: `How fresh the latest deployment of a user is, and their year; ${publicBadges ? 'public' : readable}`,
      },
      { name: 'Feeds', description: `The feed for feed readers; ${readable}` },
      ...(hasWebhooks ? [{ name: 'Webhooks', description: 'What receivers of webhooks are sent' }] : []),
    ],
    paths: pathsOf(
      {
        ...announcingOperations(perMinute),
        ...importOperations,
        ...tokenOperations,
        ...readingOperations,
        ...badgeOperations,
      },
      closedTags,
    ),
    ...(hasWebhooks ? { webhooks: sentMessages } : {}),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
        ...(membersOnly ? readKeyScheme : {}),
      },
      schemas: schemas(perMinute),
    },
  }
}

/** The operations by address, then by method. Those with a closed tag are only for members. */
function pathsOf(operations: Operations, closedTags: readonly string[]) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    const isClosed = method === 'GET' && operation.tags.some((tag) => closedTags.includes(tag))
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = isClosed ? forMembers(path, operation) : operation
  }
  return paths
}

/** How readers prove that they may read. */
const readKeyScheme = {
  readKey: { type: 'apiKey', in: 'query', name: 'key', description: 'Made in the settings; can only read' },
}

/** The addresses of the API that a token opens and a read key does not. */
const byTokenAlone = ['/api/deployments/{id}', '/api/current']

function forMembers(path: string, operation: Operation): Operation {
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
