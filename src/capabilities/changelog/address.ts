import type { User } from '../../domain/account/user.ts'
import { projectAddress, withQuery } from '../../views/page/address.ts'

/** A page of a changelog, as addresses have it. */
type ChangelogPart = {
  readonly user: Pick<User, 'username'>
  readonly target: string
  readonly before?: number | null
}

/** What the addresses of a changelog end with, by its form. */
export const forms = { page: 'changelog', markdown: 'changelog.md', atom: 'changelog.atom' } as const

export function changelogAddress(form: keyof typeof forms, part: ChangelogPart): string {
  const { user, target, before } = part
  return withQuery(`${projectAddress(user.username, target)}/${forms[form]}`, { before })
}

/** The path of the page for frames. */
export function frameAddress(part: ChangelogPart): string {
  return withQuery(changelogAddress('page', { ...part, before: null }), { embed: 1, before: part.before })
}
