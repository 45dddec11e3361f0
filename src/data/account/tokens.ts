import { sql } from 'drizzle-orm'
import { batch } from '../../database/batch.ts'
import { type Db, inMs, nowInMs, rowsOf, texts } from '../../database/db.ts'
import { tokenFrom, tokensIn } from '../../domain/account/token.ts'
import { type Token, tokenOf } from '../../domain/account/token-rights.ts'
import type { User } from '../../domain/account/user.ts'
import { isAccount, tokens } from './tables.ts'

/** 256 random bits in base64url. */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: 'base64url', omitPadding: true })
}

export function newToken(): string {
  return tokenFrom(crypto.getRandomValues(new Uint8Array(32)))
}

/** The SHA-256 of a secret, in hex. A fast hash is enough: our secrets have at least 178 random bits. */
export function hashSecret(secret: string): string {
  return Bun.CryptoHasher.hash('sha256', secret, 'hex')
}

export const tokenWorks = sql`(tokens.expires_at is null or tokens.expires_at > statement_timestamp())`

export type FoundToken = Token & {
  readonly owner: User
  readonly expiresAt: Date | null
  readonly now: Date
}

type FoundRow = { token: Token; owner: User; expires_ms: number | null; now_ms: number }

const foundColumns = sql`
  json_build_object('id', users.id, 'username', users.username, 'name', users.name) as owner,
  json_build_object(
    'name', case when tokens.publisher_id is null then tokens.name end,
    'may', tokens.may, 'targets', tokens.targets, 'environments', tokens.environments
  ) as token,
  ${inMs(sql`tokens.expires_at`)} as expires_ms, ${nowInMs} as now_ms`

/**
 * The token with this hash and its owner; null if none works. `usedFor` notes the use under that text. Announcing has a
 * statement of its own.
 */
export async function findToken(
  db: Db,
  tokenHash: string,
  { usedFor }: { readonly usedFor?: string } = {},
): Promise<FoundToken | null> {
  const isIt = sql`tokens.hash = ${tokenHash} and users.id = tokens.user_id and ${tokenWorks} and ${isAccount}`
  const statement =
    usedFor === undefined
      ? sql`select ${foundColumns} from tokens, users where ${isIt}`
      : sql`
        update tokens set last_used_at = statement_timestamp(), last_used_from = ${usedFor}
        from users where ${isIt} returning ${foundColumns}`
  const [row] = await db.write((queries) => rowsOf<FoundRow>(queries, statement))
  if (row === undefined) return null
  const { owner, token, expires_ms, now_ms } = row
  const expiresAt = expires_ms === null ? null : new Date(expires_ms)
  return { ...tokenOf(token), owner, expiresAt, now: new Date(now_ms) }
}

type TokenOwner = { readonly tokenHash: string } | { readonly userId: number }

type OwnerQuestion = TokenOwner & { readonly hashes: readonly string[] }

/**
 * Makes the function that finds the tokens of an owner in texts, which must not become public. Few texts contain any,
 * so few calls query the database.
 */
export function ownTokensFinder(db: Db) {
  const read = batch<OwnerQuestion, readonly string[]>(
    db,
    'tokens',
    (questions) => readOwnTokens(db, questions),
    // Small batches, because a message has room for a hundred tokens.
    { inFlight: 1, batchSize: 50 },
  )
  return async (values: readonly string[], owner: TokenOwner): Promise<string[]> => {
    const found = values.flatMap(tokensIn)
    if (found.length === 0) return []
    const own = await read({ ...owner, hashes: found.map(hashSecret) })
    return found.filter((token) => own.includes(hashSecret(token)))
  }
}

async function readOwnTokens(
  db: Db,
  questions: readonly OwnerQuestion[],
): Promise<readonly (readonly string[])[]> {
  const asked = questions.flatMap((of) => ('tokenHash' in of ? [of.tokenHash, ...of.hashes] : of.hashes))
  const rows = await db.readPrimary(
    (queries) =>
      queries
        .select({ hash: tokens.hash, userId: tokens.userId, works: sql<boolean>`${tokenWorks}` })
        .from(tokens)
        .where(sql`${tokens.hash} = any(${texts(asked)})`),
    'reserved',
  )
  const found = new Map(rows.map((row) => [row.hash, row]))
  return questions.map((of) => {
    const userId = 'userId' in of ? of.userId : found.get(of.tokenHash)?.userId
    return of.hashes.filter((hash) => {
      const token = found.get(hash)
      return token?.works === true && token.userId === userId
    })
  })
}
