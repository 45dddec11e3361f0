import type { Capability } from '../../capability.ts'
import { argoCdSnippet } from './argo-cd.ts'
import { eventReader } from './body.ts'
import { cdeventsDocs } from './docs.tsx'
import { cdeventsDescription } from './openapi.ts'

/** Reads the events of tools as announcements (docs/decisions.md#announce). */
export const cdeventsCapability: Capability = {
  name: 'cdevents',
  configure: () => ({
    docs: cdeventsDocs,
    openApi: cdeventsDescription,
    start: () => ({ bodies: [eventReader], slots: argoCdSnippet }),
  }),
}
