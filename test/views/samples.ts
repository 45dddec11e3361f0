import { reportLink } from '../../src/capabilities/abuse-reports/page.tsx'
import { argoCdSnippet } from '../../src/capabilities/cdevents/argo-cd.ts'
import { environmentsLinks } from '../../src/capabilities/environments/page.tsx'
import { feedLinks } from '../../src/capabilities/feeds/links.tsx'
import { historyStep } from '../../src/capabilities/import/step.tsx'
import { fluxSnippet } from '../../src/capabilities/intakes/flux-manifests.ts'
import { previewPicture } from '../../src/capabilities/pictures/tags.tsx'
import { searchOnPages } from '../../src/capabilities/search/on-pages.tsx'
import { wallLinks } from '../../src/capabilities/wall/links.tsx'
import type { User } from '../../src/domain/account/user.ts'
import type { Deployment } from '../../src/domain/deployment.ts'
import type { Overview } from '../../src/domain/statistics/overview.ts'
import { utcDayOf } from '../../src/domain/time.ts'
import type { Site } from '../../src/views/page/site.ts'
import { joinSlots } from '../../src/views/page/slots.ts'

export const now = new Date('2026-03-12T14:03:22Z')

export const site: Site = {
  baseUrl: 'https://ship.example',
  registrationOpen: true,
  operatorContact: null,
  sourceUrl: null,
  issuers: [],
  audience: 'https://ship.example',
  hasPasswords: true,
  slots: joinSlots([
    argoCdSnippet,
    fluxSnippet,
    historyStep,
    environmentsLinks,
    feedLinks,
    wallLinks,
    previewPicture,
    reportLink,
  ]),
  search: searchOnPages,
  membersOnly: false,
  publicBadges: true,
  assets: {
    css: '/assets/1/site.css',
    htmx: '/assets/1/htmx.js',
    app: '/assets/1/app.js',
    favicon: '/favicon.svg',
    wall: { css: '/assets/1/wall.css', script: '/assets/1/wall.js' },
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
  newToken: null,
  otherTokens: 0,
  sections: [],
  sessions: [{ hash: 'own', device: 'Firefox/140.0 (X11; Linux)', createdAt: now, lastSeenAt: now }],
  sessionHash: 'own',
  refusals: [],
  checklist: null,
  imported: 0,
  notice: null,
  refused: null,
  asksPassword: true,
}

const today = utcDayOf(now)

/** A user with three deployments: one today, two on the day before. */
export const overview: Overview = {
  days: [
    { day: today - 1, deployments: 2 },
    { day: today, deployments: 1 },
  ],
  firstDay: today - 1,
  firstAnnouncedDay: today - 1,
  recent: ['2026-03-12T14:01:00Z', '2026-03-11T21:00:00Z', '2026-03-11T20:00:00Z'].map((at) => new Date(at)),
  targets: [
    { target: 'github.com/ada/engine', deployedAt: new Date('2026-03-12T14:01:00Z') },
    { target: 'app.example.com', deployedAt: new Date('2026-03-11T14:03:21Z') },
  ],
  now,
}
