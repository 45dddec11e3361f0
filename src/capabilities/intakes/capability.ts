import { Elysia } from 'elysia'
import type { Capability } from '../../capability.ts'
import { waitingRecorder } from './calls.ts'
import { intakesDocs } from './docs.ts'
import { fluxSnippet } from './flux-manifests.ts'
import { intakesDescription } from './openapi.ts'
import { forgeCalls } from './routes.ts'
import { intakeSettings } from './settings.tsx'

/** Announces what forges and deploy tools send by themselves (docs/decisions.md#intakes). */
export const intakesCapability: Capability = {
  name: 'intakes',
  configure: (_, { rateLimitPerMinute }) => ({
    docs: intakesDocs,
    openApi: intakesDescription(rateLimitPerMinute),
    start: ({ db, observer }) => ({
      opened: { '/api/in/:kind/:id': 'all' },
      routes: (dependencies) => new Elysia().use(intakeSettings(dependencies)).use(forgeCalls(dependencies)),
      settings: {
        id: 'intakes',
        name: 'Intakes',
        hint: 'GitHub, GitLab, Forgejo or Gitea announces for you, without a step in any pipeline.',
      },
      slots: fluxSnippet,
      jobs: [
        {
          every: 2,
          work: waitingRecorder(db, { ratePerMinute: rateLimitPerMinute, onAnnounced: observer?.announced }),
        },
      ],
    }),
  }),
}
