import type { Capability } from '../../capability.ts'
import { pictureRoutes, picturesOf } from './routes.ts'
import { previewPicture } from './tags.tsx'

/** The pictures that chats and timelines show of a link. */
export const picturesCapability: Capability = {
  name: 'pictures',
  configure: () => ({
    start({ db, config }) {
      const pictures = picturesOf(db, config.baseUrl)
      return {
        routes: (dependencies) => pictureRoutes({ ...dependencies, pictures }),
        belowProjects: { 'card.png': pictures.ofUser },
        slots: previewPicture,
      }
    },
  }),
}
