import type { Deployment } from '../../src/domain/deployment.ts'
import type { User } from '../../src/domain/user.ts'
import type { Site } from '../../src/views/site.ts'

export const now = new Date('2026-03-12T14:03:22Z')

export const site: Site = {
  baseUrl: 'https://ship.example',
  registrationOpen: true,
  assets: {
    css: '/assets/1/site.css',
    htmx: '/assets/1/htmx.js',
    sse: '/assets/1/hx-sse.js',
    app: '/assets/1/app.js',
    favicon: '/favicon.svg',
  },
}

export const ada: User = { id: 1, username: 'ada', name: 'Ada Lovelace' }
export const grace: User = { id: 2, username: 'grace', name: 'Grace Hopper' }

export function deployment(facts: Partial<Deployment> = {}): Deployment {
  return {
    id: 412,
    message: '✨ Saved searches',
    url: 'https://github.com/ada/engine/pull/412',
    category: 'feature',
    deployedAt: new Date('2026-03-12T14:01:00Z'),
    poster: ada,
    ...facts,
  }
}

/** What the settings page of a user without token shows. */
export const settings = {
  site,
  viewer: ada,
  now,
  token: null,
  oldToken: null,
  newToken: null,
  sessions: [{ current: true, device: 'Firefox on Linux', createdAt: now, lastSeenAt: now }],
  notice: null,
  values: { name: ada.name },
  reasons: {},
}
