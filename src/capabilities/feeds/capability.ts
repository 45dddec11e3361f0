import type { Capability } from '../../capability.ts'
import markdown from './docs.md' with { type: 'text' }
import { feedLinks } from './links.tsx'
import { feedsDescription } from './openapi.ts'
import { syndication } from './routes.ts'

/** The feed for feed readers, as Atom and JSON Feed. */
export const feedsCapability: Capability = {
  name: 'feeds',
  configure: () => ({
    docs: { after: 'follow', markdown },
    openApi: feedsDescription,
    start: () => ({
      routes: syndication,
      opened: {
        '/feed.atom': 'key',
        '/feed.json': 'key',
        '/:username/feed.atom': 'key',
        '/:username/feed.json': 'key',
      },
      slots: feedLinks,
    }),
  }),
}
