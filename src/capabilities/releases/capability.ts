import type { Capability } from '../../capability.ts'
import { releaseList } from './api.ts'
import { releasesDocs } from './docs.ts'
import { releaseLinks } from './links.tsx'
import { releasesDescription } from './openapi.ts'
import { releasesBelow } from './routes.tsx'

/** The releases of a project, and how each of them travels. */
export const releasesCapability: Capability = {
  name: 'releases',
  configure: () => ({
    docs: releasesDocs,
    openApi: releasesDescription,
    start: ({ db }) => ({
      opened: { '/api/releases': 'token' },
      routes: releaseList,
      belowProjects: releasesBelow(db),
      slots: releaseLinks,
    }),
  }),
}
