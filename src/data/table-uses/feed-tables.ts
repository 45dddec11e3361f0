import { desc } from 'drizzle-orm'
import { parseMessage } from '../../domain/announcement/announcement.ts'
import { maxScopes } from '../../domain/target.ts'
import { isTooLong } from '../../domain/text-bounds.ts'
import {
  dailyDeployments,
  deployments,
  joinedProjects,
  latestDeployments,
  refusals,
  targetScopes,
  targets,
  withdrawals,
} from '../tables.ts'
import { displayNameRule, sourceRule, tokenNameRule, verifiedRule } from './account-tables.ts'
import {
  boundedText,
  categoryRule,
  listOf,
  nullOr,
  plainText,
  releaseRules,
  scopeRule,
  textThat,
  textWithout,
} from './column-rules.ts'
import { columnsOf } from './export-columns.ts'
import type { TableUse } from './table-use.ts'

/** The tables of deployments and what is counted of them, as the schema names them. */
export const feedTables = {
  deployments: {
    table: deployments,
    rules: {
      message: textWithout((text) => {
        const read = parseMessage(text)
        return read.outcome === 'invalid' ? read.reasons : []
      }),
      url: nullOr(textThat(isStoredLink, 'must be an http or https link')),
      category: nullOr(categoryRule),
      ...releaseRules,
      scopes: listOf(maxScopes, scopeRule),
      target: nullOr(scopeRule),
      // Those of history begin with a tab.
      idempotency_key: nullOr(plainText('told')),
      posted_as: nullOr(displayNameRule),
      verified: verifiedRule,
      token: nullOr(tokenNameRule),
    },
    deletion: 'in chunks',
  },
  withdrawals: { table: withdrawals, deletion: 'in chunks' },
  latestDeployments: { table: latestDeployments, rules: { scope: scopeRule }, deletion: 'in chunks' },
  dailyDeployments: { table: dailyDeployments, deletion: 'in chunks' },
  targets: { table: targets, rules: { target: scopeRule }, deletion: 'in chunks' },
  targetScopes: {
    table: targetScopes,
    rules: { scope: scopeRule, target: scopeRule },
    deletion: 'in chunks',
  },
  joinedProjects: {
    table: joinedProjects,
    rules: { spelling: scopeRule, target: scopeRule, scopes: listOf(maxScopes, scopeRule) },
    section: {
      name: 'joined_projects',
      place: 12,
      columns: columnsOf(joinedProjects, 'spelling target created_at moved_at'),
      order: joinedProjects.spelling,
    },
  },
  refusals: {
    table: refusals,
    rules: { reason: boundedText('told'), source: nullOr(sourceRule), token: nullOr(tokenNameRule) },
    section: {
      name: 'refused_calls',
      place: 10,
      columns: columnsOf(refusals, 'status reason source token refused_at'),
      order: desc(refusals.id),
    },
  },
} satisfies Readonly<Record<string, TableUse>>

/** Less strict than for an announcement, because older versions accepted other links. */
function isStoredLink(link: string): boolean {
  return !isTooLong(link, 'link') && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(link) && URL.canParse(link)
}
