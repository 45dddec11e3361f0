/** How many deployments a page of a list holds. */
export const pageSize = 25

/** The same for a page of the API. */
export const pageLimits = { default: 25, max: 100 } as const

/** The same for a page for feed readers. */
export const entriesOfFeed = 50
