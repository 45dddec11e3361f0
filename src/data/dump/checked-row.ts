import { isReportReason } from '../../domain/abuse-report.ts'
import { sourceKept } from '../../domain/account/call-source.ts'
import { isTokenRight, tokenNameReasons, tokenRights } from '../../domain/account/token-rights.ts'
import { displayNameReasons, usernameOf } from '../../domain/account/user.ts'
import { parseAnnouncement, parseMessage } from '../../domain/announcement/announcement.ts'
import { categories, isCategory } from '../../domain/category.ts'
import { oneLineProblems, textProblems } from '../../domain/field-parsing.ts'
import { isCallOutcome, isIntakeId, isIntakeKind, isWorkflow } from '../../domain/intake/intake.ts'
import { parseReleaseField, type ReleaseField } from '../../domain/release.ts'
import { isEnvironmentKey, mostNamed } from '../../domain/restriction.ts'
import { isScope, mostScopes } from '../../domain/target.ts'
import { isTooLong, lengthProblems, type TextKind } from '../../domain/text-bounds.ts'
import { isRequestable } from '../../domain/webhook/address.ts'
import { storedTokenProblems } from '../../domain/webhook/form.ts'
import { isSigningSecret, isWebhookFormat } from '../../domain/webhook/webhook.ts'
import { isAffordable } from '../account/passwords.ts'
import { type DumpedRow, DumpRefused, rowAdvice } from './read.ts'

type Row = Readonly<Record<string, unknown>>

/** The reasons to refuse a value, which read like those of a field; empty if its column may hold it. */
type Rule = (value: unknown, row: Row) => readonly string[]

const text =
  (reasonsOf: (text: string) => readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' ? reasonsOf(value) : ['must be a text']

const is = (isRight: (text: string) => boolean, reason: string): Rule =>
  text((one) => (isRight(one) ? [] : [reason]))

const like = (form: RegExp, reason: string): Rule => is((one) => form.test(one), reason)

const optional =
  (rule: Rule): Rule =>
  (value, row) =>
    value === null ? [] : rule(value, row)

const list =
  (most: number, rule: Rule): Rule =>
  (value, row) =>
    Array.isArray(value) && value.length <= most
      ? value.flatMap((one) => rule(one, row))
      : [`must be a list of at most ${most}`]

/** A text that only has a bound. */
const bounded = (kind: TextKind): Rule => text((one) => lengthProblems(one, kind))

/** One without control characters. */
const plain = (kind: TextKind): Rule =>
  text((one) => [...lengthProblems(one, kind), ...(isTooLong(one, kind) ? [] : textProblems(one))])

const release = (name: ReleaseField): Rule =>
  optional((value) => {
    const read = parseReleaseField(name, value)
    if (read.outcome === 'invalid') return read.reasons
    return read.value === undefined ? ["can't be blank"] : []
  })

const username = is((one) => usernameOf(one) === one, 'must be a username')
/** Also that of an account that is being deleted, see deletion.ts. */
const ownUsername = is((one) => usernameOf(one) === one || /^~\d{1,15}$/.test(one), 'must be a username')
const displayName = text(displayNameReasons)
const tokenName = text(tokenNameReasons)
const hash = like(/^[\da-f]{64}$/, 'must be a SHA-256 in hexadecimal digits')
const lastFour = like(/^[\dA-Za-z]{4}$/, 'must be four letters or digits')
const issuer = is((one) => !isTooLong(one, 'link') && /^https?:\/\/[!-~]+$/.test(one), 'must be an address')
const scope = is(isScope, 'must be a host or project')
const targets = list(mostNamed, scope)
const environments = list(mostNamed, is(isEnvironmentKey, 'must be an environment in lower case'))
const category = is(isCategory, 'must be a category')
const source = is(
  (one) => one.length <= 2 * sourceKept && [...one].length <= sourceKept && textProblems(one).length === 0,
  `must be at most ${sourceKept} characters without control characters`,
)
const verified: Rule = optional(list(3, optional(plain('link'))))
const releaseFields = {
  environment: release('environment'),
  version: release('version'),
  commit: release('commit'),
}
const signingSecret = is(isSigningSecret, 'must be whsec_ with 32 bytes in Base64')

/** Of a webhook, by its format. */
const secret: Rule = (value, { format }) => {
  if (format === 'standard') return signingSecret(value, {})
  // The rule for the format refuses any other.
  if (typeof format !== 'string' || !isWebhookFormat(format)) return []
  const isText = value === null || typeof value === 'string'
  return isText ? storedTokenProblems(value, format) : ['must be a text']
}

/** Rules beyond the types of columns. A text of ours, or of a caller, has a bound; one of a user, the rules of its form. */
const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  users: {
    username: ownUsername,
    name: displayName,
    password_hash: is((one) => one === '' || isAffordable(one), 'must be a hash that is quick to check'),
  },
  retired_usernames: { username },
  publishers: {
    issuer,
    repository: plain('pipelineName'),
    repository_id: optional(plain('claim')),
    owner_id: optional(plain('claim')),
    workflow: optional(plain('pipelineName')),
    environment: optional(plain('pipelineName')),
  },
  used_jtis: { issuer, jti: like(/^[!-~]{1,255}$/, 'must be visible ASCII characters') },
  tokens: {
    hash,
    last_four: lastFour,
    ...releaseFields,
    verifies: optional(plain('link')),
    verified,
    name: tokenName,
    may: list(Object.keys(tokenRights).length, is(isTokenRight, 'must be rights of a token')),
    targets,
    environments,
    last_used_from: optional(source),
  },
  read_keys: { hash, last_four: lastFour },
  sessions: { hash, device: bounded('userAgent') },
  devices: { hash },
  password_links: { hash, username },
  attempts: { kind: plain('told'), subject: plain('told') },
  deployments: {
    message: text((one) => {
      const read = parseMessage(one)
      return read.outcome === 'invalid' ? read.reasons : []
    }),
    url: optional(is(isStoredLink, 'must be an http or https link')),
    category: optional(category),
    ...releaseFields,
    scopes: list(mostScopes, scope),
    target: optional(scope),
    // Those of history begin with a tab.
    idempotency_key: optional(plain('told')),
    posted_as: optional(displayName),
    verified,
    token: optional(tokenName),
  },
  reports: {
    reason: is(isReportReason, 'must be one of the list'),
    text: optional(text((one) => oneLineProblems(one, 'report'))),
  },
  latest_deployments: { scope },
  targets: { target: scope },
  target_scopes: { scope, target: scope },
  refusals: { reason: bounded('told'), source: optional(source), token: optional(tokenName) },
  webhooks: {
    url: is(isRequestable, 'must be an http or https address'),
    format: is(isWebhookFormat, 'must be a format'),
    secret,
    old_secret: optional(signingSecret),
    targets,
    environments,
    categories: list(Object.keys(categories).length, category),
    claim: optional(plain('told')),
    paused_because: optional(plain('told')),
  },
  deliveries: {
    message_id: like(/^[!-~]{1,255}$/, 'must be visible ASCII characters'),
    body: is((one) => !isTooLong(one, 'delivery') && isJson(one), 'must be JSON of the usual length'),
    error: optional(plain('told')),
  },
  intakes: {
    id: is(isIntakeId, 'must be an id'),
    kind: is(isIntakeKind, 'must be one of those in the list'),
    secret: like(/^[\w-]{43}$/, 'must be 256 bits in Base64'),
    environments,
    workflows: list(mostNamed, is(isWorkflow, 'must be file names')),
  },
  intake_calls: {
    about: bounded('told'),
    outcome: is(isCallOutcome, 'must be an outcome'),
    reason: optional(bounded('told')),
    waiting: optional(is(isAnnouncement, 'must be an announcement')),
    key: optional(plain('told')),
  },
}

/** A row with exactly these columns, written again so that we store what was checked. Throws DumpRefused. */
export function checkedRow(dumped: DumpedRow, table: string, columns: readonly string[]): string {
  const { line } = dumped
  const row = parsed(dumped.text)
  if (row === null) throw new DumpRefused(`it was altered: its line ${line}, of ${table}, is not a row`)
  const names = Object.keys(row)
  const isWhole = names.length === columns.length && names.every((name) => columns.includes(name))
  if (!isWhole)
    throw new DumpRefused(`it was altered: its line ${line}, a row of ${table}, has other columns`)
  for (const name of names) {
    const [reason] = isFlat(row[name])
      ? (rules[table]?.[name]?.(row[name], row) ?? [])
      : ['must be one value']
    if (reason === undefined) continue
    throw new DumpRefused(
      `its line ${line}, a row of ${table}, was altered or breaks a rule (${name} ${reason}): ${rowAdvice}`,
    )
  }
  return JSON.stringify(row)
}

function parsed(text: string): Row | null {
  try {
    const row: unknown = JSON.parse(text)
    return row instanceof Object && !Array.isArray(row) ? (row as Row) : null
  } catch {
    return null
  }
}

/** A column holds a text, a boolean, a safe integer, null, or a list of these. */
function isFlat(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value)
}

function isAnnouncement(text: string): boolean {
  try {
    return parseAnnouncement(JSON.parse(text), { now: new Date(0) }).outcome === 'valid'
  } catch {
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Less strict than for an announcement, because older versions accepted other links. */
function isStoredLink(link: string): boolean {
  return !isTooLong(link, 'link') && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(link) && URL.canParse(link)
}
