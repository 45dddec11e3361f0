import { embeddedDataSet } from './data-sets/embedded.ts'
import { postgresDataSet } from './data-sets/postgres.ts'
import { badgeRequests } from './requests.ts'
import { alternate } from './rounds.ts'
import type { Extent } from './section.ts'
import { badgeMakerServer, bareServer, noQueryServer, oneQueryServer, shipfeed } from './servers.ts'
import { type Row, rates } from './table.ts'
import { wrk } from './wrk.ts'

/** Badges of random users, in every style, with and without a filter. */
export async function badge({ seconds, rounds, deployments }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await postgresDataSet(deployments)
  const onPostgres = await shipfeed({ DATABASE_URL: databaseUrl })
  const servers = {
    onPostgres,
    onEmbedded: await shipfeed({ DATA_DIR: await embeddedDataSet(deployments) }),
    bare: await bareServer(`${onPostgres.url}/badge/u1.svg`),
    badgeMaker: await badgeMakerServer(),
    oneQuery: await oneQueryServer(databaseUrl),
    noQuery: await noQueryServer(),
  }
  const requests = badgeRequests()
  const load = (name: keyof typeof servers) => () => wrk(servers[name].url, requests, { seconds })
  const names = Object.keys(servers) as (keyof typeof servers)[]
  const measures = Object.fromEntries(names.map((name) => [name, load(name)])) as Record<
    keyof typeof servers,
    () => ReturnType<typeof wrk>
  >
  const measured = await alternate(measures, rounds)
  for (const server of Object.values(servers)) await server.stop()
  type Name = keyof typeof measured
  const row = (what: string, ours: Name, peer: Name, aim: string | null) =>
    rates(what, measured[ours], measured[peer], aim)
  return [
    row('badge, Postgres; beside bare `Bun.serve`, constant answer', 'onPostgres', 'bare', '≥ 0.65'),
    row('badge, Postgres; beside badge-maker on Node’s http, no store', 'onPostgres', 'badgeMaker', '≥ 3'),
    row('badge, Postgres; beside one query a request', 'onPostgres', 'oneQuery', null),
    row('badge, Postgres; beside the same route without a database', 'onPostgres', 'noQuery', null),
    row('the route without a database; beside bare `Bun.serve`', 'noQuery', 'bare', null),
    row('badge, embedded; beside bare `Bun.serve`, constant answer', 'onEmbedded', 'bare', null),
    row('badge, embedded; beside badge-maker on Node’s http, no store', 'onEmbedded', 'badgeMaker', null),
  ]
}
