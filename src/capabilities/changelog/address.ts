import { projectAddress, withQuery } from '../../views/page/address.ts'

export type ChangelogPart = {
  readonly username: string
  readonly target: string
  readonly before?: number | null
}

/** What the addresses of a changelog end with, by its form. */
export const forms = { page: 'changelog', markdown: 'changelog.md', atom: 'changelog.atom' } as const

export function changelogAddress(form: keyof typeof forms, part: ChangelogPart): string {
  const { username, target, before } = part
  return withQuery(`${projectAddress(username, target)}/${forms[form]}`, { before })
}

/** The path of the page for frames. */
export function frameAddress(part: ChangelogPart): string {
  return withQuery(changelogAddress('page', { ...part, before: null }), { embed: 1, before: part.before })
}
