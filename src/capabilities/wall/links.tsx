import { Html } from '@elysiajs/html'
import { facetQuery } from '../../domain/feed/facets.ts'
import { type AddressQuery, type PartOfFeed, withQuery } from '../../views/page/address.ts'
import type { PageSlots } from '../../views/page/slots.ts'
import { escaped } from '../../views/parts/markup.ts'

export function wallAddress({ username, target, by }: PartOfFeed): string {
  return withQuery('/wall', { user: username, target, ...facetQuery(by) })
}

/** The wallboard of environments, with the parameters that say whose. */
export function environmentsWallAddress(whose: AddressQuery): string {
  return withQuery('/wall', { view: wallViews.environments, ...whose })
}

/** What `?view=` may be, besides the list. */
export const wallViews = { environments: 'environments' } as const

/** The links to wallboards, which cannot show a search. */
export const wallLinks: PageSlots = {
  otherForms: (part) => (part.q === undefined ? <a href={escaped(wallAddress(part))}>Wallboard</a> : ''),
  besideEnvironments: (whose) => <a href={escaped(environmentsWallAddress(whose))}>Wallboard</a>,
}
