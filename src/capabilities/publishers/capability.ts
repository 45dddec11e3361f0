import { Elysia } from 'elysia'
import type { Brought, Capability } from '../../capability.ts'
import { issuerAdvice, issuerOf } from '../../domain/issuer.ts'
import { commaSeparated } from '../../settings-reader.ts'
import { publishersDocs } from './docs.tsx'
import { identityTokensOf } from './identity-token.ts'
import { publishersDescription } from './openapi.ts'
import { exchangeToken, revokeToken } from './routes.ts'
import { publisherForms, publishersPanel } from './settings.tsx'
import { forgetExchanges } from './store.ts'

const variables = {
  OIDC_ISSUERS: {
    says: 'the issuers whose pipelines may be [trusted publishers](decisions.md#publishers), separated by commas: `https://token.actions.githubusercontent.com`, `https://gitlab.com`, `https://agent.buildkite.com`, `https://oidc.circleci.com/org/<id>`',
  },
  OIDC_AUDIENCE: { default: 'BASE_URL', says: 'the audience that their identity tokens must name' },
} as const

const noIssuers =
  'This server accepts no identity tokens: OIDC_ISSUERS is empty. Announce with a token from the settings.'

/** Lets the pipelines of a repository announce without a secret (docs/decisions.md#publishers). */
export const publishersCapability: Capability = {
  name: 'publishers',
  variables,
  configure(env, { production, baseUrl }) {
    const issuers = commaSeparated(env, 'OIDC_ISSUERS', issuerAdvice, (entry) => issuerOf(entry, production))
    const audience = env.OIDC_AUDIENCE || baseUrl
    return {
      site: { issuers, audience },
      openApi: publishersDescription,
      ...(issuers.length === 0 ? {} : { docs: publishersDocs(issuers, audience) }),
      start({ db, log }): Brought {
        // Also without issuers, which may have been configured before.
        const jobs = [{ every: 600, work: forgetExchanges }]
        if (issuers.length === 0) return { jobs, missing: { '/api/oidc': noIssuers } }
        const identityTokens = identityTokensOf({ issuers, audience, production }, log)
        return {
          jobs,
          settings: publishersPanel(db),
          opened: { '/api/oidc': 'all' },
          routes: (dependencies) =>
            new Elysia()
              .use(publisherForms(dependencies))
              .use(exchangeToken({ ...dependencies, identityTokens }))
              .use(revokeToken(dependencies)),
        }
      },
    }
  },
}
