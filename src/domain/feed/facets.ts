import { actorProblems } from '../account/actor.ts'
import { categories, isCategory } from '../category.ts'
import type { Deployment } from '../deployment.ts'
import { environmentRule, isEnvironment } from '../environment/environment.ts'
import { caselessKey } from '../field-parsing.ts'

/** What a field of a deployment needs to be a facet, by which lists are filtered (docs/adding.md#a-facet). */
type FacetRow = {
  /** Its parameter in addresses, such as `?env=`. */
  readonly parameter: string
  /** Its key in a search, such as `by:`. */
  readonly key: string
  /** The field of a list of its values, as in the filter of a webhook. Pages call the facet by it. */
  readonly list: string
  /** What is said before a value: "Only deployments to production", "4 deployments in production". */
  readonly preposition: { readonly list: string; readonly search: string }
  /** Whether case does not matter: `read` takes any, and indexes have the value in lower case. */
  readonly isCaseless: boolean
  /** Reads a value in the form in which values are compared; null for anything else. */
  readonly read: (text: string) => string | null
  /** All its values, which every list and search offers; null if there are too many. */
  readonly values: readonly string[] | null
  /** What is said of a wrong value in an address, in a search, and in a list, which it ends: "which is not …". */
  readonly advice: { readonly address: string; readonly search: string; readonly list: string }
}

const known = Object.keys(categories)

/** The fields of a deployment that filter lists, each by its column and field of JSON, in the order of addresses. */
export const facets = {
  category: {
    parameter: 'category',
    key: 'category',
    list: 'categories',
    preposition: { list: 'of', search: 'of' },
    isCaseless: false,
    read: (text: string) => (isCategory(text) ? text : null),
    values: known,
    advice: {
      address: `There is no such category. The categories are ${known.join(', ')}.`,
      search: `Name a category: ${known.map((name) => `category:${name}`).join(', ')}.`,
      list: `one of ${known.join(', ')}`,
    },
  },
  environment: {
    parameter: 'env',
    key: 'env',
    list: 'environments',
    preposition: { list: 'to', search: 'in' },
    isCaseless: true,
    read: (text: string) => (isEnvironment(text) ? caselessKey(text) : null),
    values: null,
    advice: {
      address: `That is not an environment. An environment has ${environmentRule}.`,
      search: `Name an environment, such as env:production. Its name has ${environmentRule}.`,
      list: environmentRule,
    },
  },
  actor: {
    parameter: 'actor',
    key: 'by',
    list: 'actors',
    preposition: { list: 'by', search: 'started by' },
    isCaseless: true,
    read: (text: string) => (actorProblems(text).length === 0 ? caselessKey(text) : null),
    values: null,
    advice: {
      address: 'That is not the name of an actor: it has at most 60 characters, and is no e-mail address.',
      search: 'Name who started the deployment, such as by:grace.',
      list: 'a name of at most 60 characters, and not an e-mail address',
    },
  },
} as const satisfies Readonly<Record<string, FacetRow>>

export type Facet = keyof typeof facets

export const facetNames = Object.keys(facets) as readonly Facet[]
export const facetParameters: readonly string[] = facetNames.map((facet) => facets[facet].parameter)
/** The facets whose values are too many to offer them all. */
export const facetsOfMany = facetNames.filter((facet) => facets[facet].values === null)

/** The values of some facets, in the form in which they are compared. */
export type Facets = { readonly [F in Facet]?: NonNullable<ReturnType<(typeof facets)[F]['read']>> }

/** For each facet the values of a filter; an empty list selects all. */
export type FacetLists = {
  readonly [F in Facet as (typeof facets)[F]['list']]: readonly NonNullable<Facets[F]>[]
}

export const facetLists = facetNames.map((facet) => facets[facet].list)

/** At most one facet: no index has two. */
export type OneFacet = {
  [F in Facet]: Pick<Facets, F> & { readonly [Other in Exclude<Facet, F>]?: never }
}[Facet]

/** No facet. Only `isUnfiltered` finds out. */
export type Unfiltered = { readonly [F in Facet]?: never }

/** The facets for which `find` gives a value, which the facet has read. */
export function facetsFrom(find: (facet: Facet) => string | null | undefined): Facets {
  const all = facetNames.map((facet) => [facet, find(facet)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined))
}

/** A facet alone; none for null. */
export function oneFacet(facet: Facet, value: string | null): Facets {
  return value === null ? {} : { [facet]: value }
}

/** The facets that are given, in the order of the table. */
export function givenFacets(by: Facets): readonly Facet[] {
  return facetNames.filter((facet) => by[facet] !== undefined)
}

/** Whether a list has deployments of every category, of every environment and so on. */
export function isUnfiltered(by: Facets): by is Unfiltered {
  return givenFacets(by).length === 0
}

/** Whether a list is filtered by at most one facet. */
export function isOneFacet(by: Facets): by is OneFacet {
  return givenFacets(by).length <= 1
}

/** Only those facets of which each list offers all values. */
export function ofFewValues(by: Facets): Facets {
  return facetsFrom((facet) => (facets[facet].values === null ? null : by[facet]))
}

type Faceted = Partial<Pick<Deployment, Facet>>

/** The value of a facet of a deployment, in the form in which values are compared; null if it has none. */
export function facetOf(facet: Facet, deployment: Faceted): string | null {
  const value = deployment[facet] ?? null
  return value !== null && facets[facet].isCaseless ? caselessKey(value) : value
}

export function hasFacets(by: Facets, deployment: Faceted): boolean {
  return facetNames.every((facet) => by[facet] === undefined || by[facet] === facetOf(facet, deployment))
}

/** Whether a deployment has one of the values of each list that is not empty. */
export function isInLists(lists: FacetLists, deployment: Faceted): boolean {
  return facetNames.every((facet) => {
    const values: readonly string[] = lists[facets[facet].list]
    return values.length === 0 || values.includes(facetOf(facet, deployment) ?? '')
  })
}

export function facetQuery(by: Facets = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(givenFacets(by).map((facet) => [facets[facet].parameter, by[facet] ?? '']))
}

/** The values of facets as pages show them. */
export function facetsInWords({ category, ...others }: Facets): readonly string[] {
  return [...(category === undefined ? [] : [categories[category]]), ...Object.values(others)]
}
