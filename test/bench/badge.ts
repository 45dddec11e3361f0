import { embeddedDataSet } from './embedded-data-set.ts'
import { postgresDataSet } from './postgres-data-set.ts'
import { badgeRequests } from './requests.ts'
import { alternate } from './rounds.ts'
import type { Extent } from './section.ts'
import { badgeMakerServer, bareServer, noQueryServer, oneQueryServer, shipfeed } from './servers.ts'
import { perSecond, type Row, ratioOf } from './table.ts'
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
  const measures = {
    onPostgres: load('onPostgres'),
    bare: load('bare'),
    onEmbedded: load('onEmbedded'),
    badgeMaker: load('badgeMaker'),
    oneQuery: load('oneQuery'),
    noQuery: load('noQuery'),
  }
  const rates = await alternate(measures, rounds)
  for (const server of Object.values(servers)) await server.stop()

  const row = (
    what: string,
    ours: keyof typeof rates,
    peer: keyof typeof rates,
    aim: string | null,
  ): Row => ({
    what,
    ours: perSecond(rates[ours].rate),
    peer: perSecond(rates[peer].rate),
    ratio: ratioOf(rates[ours].rate, rates[peer].rate),
    aim,
  })
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
