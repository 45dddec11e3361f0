import { announce } from './announce.ts'
import { problemAnswer } from './answers.ts'
import { badge } from './badge.ts'
import { feedOfAll, feedOfUser } from './feeds.ts'
import { endToken, exchangeToken } from './oidc.ts'
import { list, live } from './read.ts'
import { requests } from './requests.ts'
import { schemas, text } from './schemas.ts'

/** The API in the OpenAPI format, given the announcements allowed a minute (0: any number). */
export function openApi(baseUrl: string, perMinute: number) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipfeed',
      version: '1',
      description:
        'Announce deployments, follow them, and show how fresh the last one is. Whatever has no address below ' +
        '/api is answered as NoSuchAddress, and another method of an address as OtherMethod.',
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/api': { post: announce(perMinute) },
      '/api/oidc': { post: exchangeToken, delete: endToken },
      '/api/deployments': { get: list },
      '/api/deployments/live': { get: live },
      '/badge/{file}': { get: badge },
      '/feed.atom': { get: feedOfAll('atom') },
      '/feed.json': { get: feedOfAll('json') },
      '/{username}/feed.atom': { get: feedOfUser('atom') },
      '/{username}/feed.json': { get: feedOfUser('json') },
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
      },
      responses: {
        NoSuchAddress: problemAnswer(['not_found']),
        OtherMethod: problemAnswer(['method_not_allowed'], {
          'image/svg+xml': { schema: text },
          'text/html': { schema: text },
        }),
      },
      schemas: { ...requests, ...schemas(perMinute) },
    },
  }
}
