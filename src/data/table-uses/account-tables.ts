import { desc, sql } from 'drizzle-orm'
import { sourceKept } from '../../domain/account/call-source.ts'
import { isTokenRight, tokenNameReasons, tokenRights } from '../../domain/account/token-rights.ts'
import { displayNameReasons, usernameOf } from '../../domain/account/user.ts'
import { textProblems } from '../../domain/field-parsing.ts'
import { isAffordable } from '../account/passwords.ts'
import {
  attempts,
  devices,
  passwordLinks,
  publishers,
  retiredUsernames,
  sessions,
  tokens,
  users,
} from '../account/tables.ts'
import {
  boundedText,
  environmentsRule,
  hashRule,
  issuerRule,
  lastFourRule,
  listOf,
  nullOr,
  plainText,
  releaseRules,
  targetsRule,
  textThat,
  textWithout,
} from './column-rules.ts'
import { columnsOf, verifiedAsObject } from './export-columns.ts'
import type { TableUse } from './table-use.ts'

const usernameRule = textThat((text) => usernameOf(text) === text, 'must be a username')
/** Also that of an account that is being deleted, see deletion.ts. */
const ownUsernameRule = textThat(
  (text) => usernameOf(text) === text || /^~\d{1,15}$/.test(text),
  'must be a username',
)

/** Of an account, or of a deployment that was announced under it. */
export const displayNameRule = textWithout(displayNameReasons)
/** Of a token, or of what was called with it. */
export const tokenNameRule = textWithout(tokenNameReasons)
/** Of a call. */
export const sourceRule = textThat(
  (text) =>
    text.length <= 2 * sourceKept && [...text].length <= sourceKept && textProblems(text).length === 0,
  `must be at most ${sourceKept} characters without control characters`,
)
/** What the identity of a publisher proved. */
export const verifiedRule = nullOr(listOf(3, nullOr(plainText('link'))))

/** The tables of accounts, as the schema names them. */
export const accountTables = {
  users: {
    table: users,
    rules: {
      username: ownUsernameRule,
      name: displayNameRule,
      password_hash: textThat(
        (text) => text === '' || isAffordable(text),
        'must be a hash that is quick to check',
      ),
      environment_order: nullOr(environmentsRule),
    },
  },
  retiredUsernames: { table: retiredUsernames, rules: { username: usernameRule } },
  publishers: {
    table: publishers,
    rules: {
      issuer: issuerRule,
      repository: plainText('pipelineName'),
      repository_id: nullOr(plainText('claim')),
      owner_id: nullOr(plainText('claim')),
      workflow: nullOr(plainText('pipelineName')),
      environment: nullOr(plainText('pipelineName')),
    },
    section: {
      name: 'publishers',
      place: 3,
      columns: columnsOf(
        publishers,
        'id issuer repository repository_id owner_id workflow environment created_at last_used_at',
      ),
      order: publishers.id,
    },
    deletion: 'at once',
    access: { name: 'publishers', place: 3 },
    usedAt: publishers.lastUsedAt,
  },
  tokens: {
    table: tokens,
    rules: {
      hash: hashRule,
      last_four: lastFourRule,
      ...releaseRules,
      verifies: nullOr(plainText('link')),
      verified: verifiedRule,
      name: tokenNameRule,
      may: listOf(Object.keys(tokenRights).length, textThat(isTokenRight, 'must be rights of a token')),
      targets: targetsRule,
      environments: environmentsRule,
      last_used_from: nullOr(sourceRule),
    },
    section: {
      name: 'tokens',
      place: 1,
      columns: {
        ...columnsOf(tokens, 'id name last_four may targets environments ends_on created_at last_used_at'),
        ...columnsOf(
          tokens,
          'last_used_from expires_at publisher_id environment version commit actor verifies',
        ),
        verified: verifiedAsObject,
      },
      order: tokens.createdAt,
    },
    deletion: 'at once',
    forgetting: (actor) => sql`
      with forgotten as (update tokens set actor = null where actor is not null and lower(actor collate "C") = ${actor})
      select 0 as paused`,
    access: { name: 'API tokens', place: 1 },
    usedAt: tokens.lastUsedAt,
  },
  sessions: {
    table: sessions,
    rules: { hash: hashRule, device: boundedText('userAgent') },
    section: {
      name: 'sessions',
      place: 7,
      columns: { user_agent: sessions.device, ...columnsOf(sessions, 'created_at last_seen_at') },
      order: desc(sessions.lastSeenAt),
    },
    deletion: 'at once',
  },
  devices: {
    table: devices,
    rules: { hash: hashRule },
    section: {
      name: 'known_browsers',
      place: 8,
      columns: columnsOf(devices, 'signed_in_at'),
      order: desc(devices.signedInAt),
    },
  },
  passwordLinks: {
    table: passwordLinks,
    rules: { hash: hashRule, username: usernameRule },
    section: {
      name: 'password_links',
      place: 9,
      columns: columnsOf(passwordLinks, 'username expires_at'),
      order: passwordLinks.expiresAt,
    },
  },
  attempts: { table: attempts, rules: { kind: plainText('told'), subject: plainText('told') } },
} satisfies Readonly<Record<string, TableUse>>
