import { contactAddress, type Site } from '../../../views/page/site.ts'
import { announce, check, intakeOperation, withdraw } from './announcing.ts'
import { badgeData, badgeImage, drawn, yearOfTarget, yearOfUser } from './badges.ts'
import { addHistoryOperation, removeHistoryOperation } from './history.ts'
import { refusalAnswers } from './parts.ts'
import {
  currentOperation,
  feedOfAll,
  feedOfUser,
  listOperation,
  oneOperation,
  streamOperation,
} from './reading.ts'
import { requests, schemas } from './schemas.ts'
import { endOperation, exchangeOperation, tokenOperation } from './tokens.ts'

type Options = Pick<Site, 'baseUrl' | 'operatorContact'> & {
  /** Whether only members may read, and whether badges are public even then. By default, everything is public. */
  readonly membersOnly?: boolean
  readonly publicBadges?: boolean
  /** The number of announcements accepted from a user in a minute; 0 means no limit. */
  readonly perMinute: number
}

/** The API in the OpenAPI format. */
export function openApi(options: Options) {
  const { baseUrl, operatorContact, perMinute, membersOnly = false, publicBadges = true } = options
  const readable = membersOnly ? 'members only' : 'public'
  const badges = publicBadges ? 'public' : readable
  const paths = pathsOf(perMinute)
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
        description: `How fresh the latest deployment of a user is, and their year; ${badges}`,
      },
      { name: 'Feeds', description: `The feed for feed readers; ${readable}` },
    ],
    paths: membersOnly ? closedPaths(paths, { publicBadges }) : paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
        ...(membersOnly ? readKeyScheme : {}),
      },
      schemas: { ...requests, ...schemas(perMinute) },
    },
  }
}

function pathsOf(perMinute: number) {
  return {
    '/api': { post: announce(perMinute) },
    '/api/check': { post: check(perMinute) },
    '/api/history': { post: addHistoryOperation, delete: removeHistoryOperation },
    '/api/token': { get: tokenOperation },
    '/api/in/{kind}/{id}': { post: intakeOperation(perMinute) },
    '/api/oidc': { post: exchangeOperation, delete: endOperation },
    '/api/deployments': { get: listOperation },
    '/api/current': { get: currentOperation },
    '/api/deployments/live': { get: streamOperation },
    '/api/deployments/{id}': { get: oneOperation, delete: withdraw },
    '/badge/{username}.svg': { get: badgeImage },
    '/badge/{username}.json': { get: badgeData },
    '/{username}/year.svg': { get: yearOfUser },
    '/{username}/{target}/year.svg': { get: yearOfTarget },
    '/feed.atom': { get: feedOfAll('atom') },
    '/feed.json': { get: feedOfAll('json') },
    '/{username}/feed.atom': { get: feedOfUser('atom') },
    '/{username}/feed.json': { get: feedOfUser('json') },
  }
}

type Operation = {
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly responses: object
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** How readers prove that they may read. */
const readKeyScheme = {
  readKey: { type: 'apiKey', in: 'query', name: 'key', description: 'Made in the settings; can only read' },
} as const

/** The addresses of the API that a token opens and a read key does not. */
const byTokenAlone = ['/api/deployments/{id}', '/api/current']

/** Adds the security and the refusals to the addresses that only members may read. */
function closedPaths(paths: Paths, { publicBadges }: { publicBadges: boolean }): Paths {
  const closed = ['Read', 'Feeds', ...(publicBadges ? [] : ['Badges'])]
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => {
      const { get } = methods
      const isClosed = get?.tags.some((tag) => closed.includes(tag))
      return [path, get && isClosed ? { ...methods, get: closedOperation(path, get) } : methods]
    }),
  )
}

function closedOperation(path: string, operation: Operation): Operation {
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
