import type { Fields } from '../../http/body.ts'

/** An announcement as it was posted, before it is validated. */
export type Posted = {
  readonly fields: Fields
  /** The caller's names of the fields, where they differ from ours. */
  readonly members: Readonly<Record<string, string>>
  /** The key of an event, in place of an Idempotency-Key. */
  readonly key: string | null
}

/** Reads the calls of POST /api whose body has a form of its own. */
export type BodyReader = {
  readonly recognises: (headers: Headers) => boolean
  /** Null: it is valid, but announces nothing. Throws a Problem. */
  readonly read: (request: Request) => Promise<Posted | null>
}
