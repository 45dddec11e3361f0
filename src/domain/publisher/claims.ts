/** The claims of a token whose signature holds. */
export type Claims = Readonly<Record<string, unknown>>

/** What an identity token is measured by. */
type Wanted = { readonly audience: string; readonly now: Date }

/** The reason to refuse a token for one of the claims that every token has. */
export function claimReason(claim: string, claims: Claims, { audience, now }: Wanted): string {
  const time = `and it is ${Math.floor(now.getTime() / 1_000)} now`
  const wanted: Readonly<Record<string, string>> = {
    aud: `and must be ${quoted(audience)}, alone`,
    exp: time,
    nbf: time,
    iat: time,
    jti: 'and must be a text of 1 to 255 visible characters',
  }
  return `The claim ${claim} is ${quoted(claims[claim])}, ${wanted[claim] ?? 'which it must not be'}.`
}

/** A claim in words, on one line and short enough to be read. */
export function quoted(value: unknown): string {
  if (value === undefined || value === null) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
