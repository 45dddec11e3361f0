import type { Capability } from '../../capability.ts'
import markdown from './docs.md' with { type: 'text' }
import { changelogDescription } from './openapi.ts'
import { changelogLink } from './page.tsx'
import { changelogsBelow, oembed } from './routes.tsx'

/** What a project tells its users: its changelog by versions, also in frames of other sites. */
export const changelogCapability: Capability = {
  name: 'changelog',
  configure: () => ({
    docs: { after: 'follow', markdown },
    openApi: changelogDescription,
    start: ({ db }) => ({
      opened: { '/oembed': 'key' },
      routes: oembed,
      belowProjects: changelogsBelow(db),
      slots: changelogLink,
    }),
  }),
}
