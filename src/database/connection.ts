/**
 * Every list of ours is the newest few of an index in its own order. A prepared statement is planned for an
 * average user, and for that one a bitmap of all rows and a sort look as good; for a busy pipeline's hundred
 * thousand deployments they are not. So no connection plans bitmaps, nor compiles a plan (`jit`) that looks
 * costly and is not: at 10 million deployments that made 43 ms of a page's 1.3.
 */
export const plannerSettings = { enable_bitmapscan: 'off', jit: 'off' } as const

/** The same as a statement, for a database that takes no settings at connecting. */
export const setPlanner = Object.entries(plannerSettings)
  .map(([name, value]) => `set ${name} = ${value}`)
  .join(';')
