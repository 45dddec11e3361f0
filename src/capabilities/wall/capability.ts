import type { Capability } from '../../capability.ts'
import markdown from './docs.md' with { type: 'text' }
import { wallLinks } from './links.tsx'
import { wall } from './routes.tsx'

/** The feed or the environments on a screen in the room. */
export const wallCapability: Capability = {
  name: 'wall',
  configure: () => ({
    docs: { after: 'follow', markdown },
    start: () => ({ routes: wall, opened: { '/wall': 'key' }, slots: wallLinks }),
  }),
}
