import { announce } from './announce.ts'
import { badge } from './badge.ts'
import { list, live } from './read.ts'
import { schemas } from './schemas.ts'

/** The API in the OpenAPI format, given the announcements allowed a minute (0: any number). */
export function openApi(baseUrl: string, perMinute: number) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipfeed',
      version: '1',
      description: 'Announce deployments, follow them, and show how fresh the last one is.',
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/api': { post: announce(perMinute) },
      '/api/deployments': { get: list },
      '/api/deployments/live': { get: live },
      '/badge/{file}': { get: badge },
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Generated in the settings' },
      },
      schemas: schemas(perMinute),
    },
  }
}
