import type { Capability } from '../../capability.ts'
import { wallDocs } from './docs.ts'
import { wallLinks } from './links.tsx'
import { wall } from './routes.tsx'

/** The feed or the environments on a screen in the room. */
export const wallCapability: Capability = {
  name: 'wall',
  configure: () => ({
    docs: wallDocs,
    start: () => ({ routes: wall, opened: { '/wall': 'key' }, slots: wallLinks }),
  }),
}
