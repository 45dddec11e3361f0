import { type SQL, sql } from 'drizzle-orm'
import { type Facet, type Facets, facetNames, facets, givenFacets } from '../domain/feed/facets.ts'

/** Values of facets as parts of a statement; each may be a column of it. */
export type FacetValues = Readonly<Partial<Record<Facet, SQL>>>

/** What the indexes of a facet have: lower() of a text depends on the language of the database without the collation. */
export function facetKey(facet: Facet): SQL {
  return sql.raw(facets[facet].isCaseless ? `lower(${facet} collate "C")` : facet)
}

/** The values of facets as parameters of a statement. */
export function facetValues(by: Facets): FacetValues {
  return Object.fromEntries(givenFacets(by).map((facet) => [facet, sql`${by[facet]}::text`]))
}

/** Conditions for rows that have the value of each facet, to be added after others. */
export function facetConditions(by: Facets): SQL {
  return sql.join(givenFacets(by).map((facet) => sql` and ${facetKey(facet)} = ${by[facet]}`))
}

/** The key of each facet, the value asked for, if any, and its column. */
export function facetKeys(values: FacetValues = {}) {
  return facetNames.map((facet) => [facetKey(facet), values[facet], sql.raw(facet)] as const)
}
