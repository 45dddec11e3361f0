import { contactAddress, type Site } from '../../../views/page/site.ts'
import { announce, check, endOperation, exchangeOperation, tokenOperation, withdraw } from './announcing.ts'
import { badgeData, badgeImage, yearOfTarget, yearOfUser } from './badges.ts'
import { feedOfAll, feedOfUser } from './feeds.ts'
import { addHistoryOperation, removeHistoryOperation } from './history.ts'
import { intakeOperation } from './intake.ts'
import { currentOperation, listOperation, oneOperation, streamOperation } from './reading.ts'
import { requests, schemas } from './schemas.ts'

type Options = Pick<Site, 'baseUrl' | 'operatorContact'> & {
  /** The number of announcements accepted from a user in a minute; 0 means no limit. */
  readonly perMinute: number
}

/** The API in the OpenAPI format. */
export function openApi({ baseUrl, operatorContact, perMinute }: Options) {
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
      { name: 'Read', description: 'The feed for programs; public' },
      { name: 'Badges', description: 'How fresh the latest deployment of a user is, and their year; public' },
      { name: 'Feeds', description: 'The feed for feed readers; public' },
    ],
    paths: {
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
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
      },
      schemas: { ...requests, ...schemas(perMinute) },
    },
  }
}

/** The operator of this server, in the form that OpenAPI has for an email address, a link and other text. */
function contactOf(contact: string) {
  const address = contactAddress(contact)
  if (address === null) return { name: contact }
  return address.startsWith('mailto:') ? { email: contact } : { url: contact }
}
