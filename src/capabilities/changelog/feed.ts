import { profileAddress } from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'
import { atomFeed } from '../../views/parts/atom.ts'
import { changelogAddress } from './address.ts'
import { EntryContent } from './entries.tsx'
import type { Changelog } from './rules.ts'
import { changelogTitle, nameOf } from './shown.ts'

/** A changelog as an Atom feed, with an entry for each version. `empty` is when an empty one was updated. */
export function changelogFeed({ baseUrl }: Site, changelog: Changelog, empty: Date): string {
  const { user, entries, older } = changelog
  const address = (form: 'page' | 'atom', before: number | null) =>
    baseUrl + changelogAddress(form, { ...changelog, before })
  const updated = Math.max(...entries.map(({ until }) => until.getTime()))
  return atomFeed(
    {
      title: changelogTitle(changelog),
      page: address('page', null),
      self: address('atom', changelog.before),
      older: older === null ? null : address('atom', older),
      updated: entries.length === 0 ? empty : new Date(updated),
    },
    entries.map((entry) => ({
      page: `${address('page', null)}#${entry.anchor}`,
      title: nameOf(entry),
      published: entry.since,
      updated: entry.until,
      author: { name: user.name, uri: baseUrl + profileAddress(user.username, { target: null }) },
      content: String(EntryContent({ entry, baseUrl })),
    })),
  )
}
