import { Elysia } from 'elysia'
import type { Capability } from '../../capability.ts'
import { comparison } from './comparison.ts'
import markdown from './docs.md' with { type: 'text' }
import { environmentsDescription } from './openapi.ts'
import { environmentsLinks } from './page.tsx'
import { current, environmentPages } from './routes.ts'

/** What is live where. */
export const environmentsCapability: Capability = {
  name: 'environments',
  configure: () => ({
    docs: { after: 'follow', markdown },
    openApi: environmentsDescription,
    start: () => ({
      opened: { '/api/current': 'token', '/api/compare': 'token' },
      routes: (dependencies) =>
        new Elysia()
          .use(current(dependencies))
          .use(comparison(dependencies))
          .use(environmentPages(dependencies)),
      slots: environmentsLinks,
    }),
  }),
}
