import type { Capability } from '../../capability.ts'
import { settingsIn } from '../../settings-reader.ts'
import markdown from './docs.md' with { type: 'text' }
import { mcpDescription } from './openapi.ts'
import { mcp } from './routes.ts'

const variables = {
  MCP: {
    words: ['off', 'read'],
    says: '`read`: agents may [read deployments](decisions.md#agents) by the Model Context Protocol, at `/mcp`',
  },
} as const

/** Lets agents read deployments by the Model Context Protocol (docs/decisions.md#agents). */
export const mcpCapability: Capability = {
  name: 'mcp',
  variables,
  configure(env) {
    if (settingsIn(env, variables).oneOf('MCP') === 'off') return null
    return {
      docs: { after: 'follow', markdown },
      openApi: mcpDescription,
      start: () => ({ routes: mcp, opened: { '/mcp': 'token' } }),
    }
  },
}
