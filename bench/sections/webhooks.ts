import { copyOfDataSet, runAll } from '../data-sets/server.ts'
import { announceRequests, badgeRequests, feedRequests } from '../requests.ts'
import { alternate } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { type Row, rates } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** As many as there are users who announce, so that each has news at once. */
const webhooks = 1_000

/** Badges, the feed and announcements while 1,000 webhooks hang, and on an equal service without webhooks. */
export async function webhooksThatHang({ seconds, rounds, users }: Extent): Promise<readonly Row[]> {
  const never = Promise.withResolvers<Response>()
  const receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 60, fetch: () => never.promise })
  const databaseUrl = await copyOfDataSet(users)
  await runAll(databaseUrl, [
    `insert into webhooks
      (user_id, url, format, targets, environments, categories, withdrawals, position, last_event)
      select n, 'http://127.0.0.1:${receiver.port}/' || n, 'standard', '{}', '{}', '{}', true, last_value, last_value
      from generate_series(1, ${webhooks}) n, deployments_id_seq`,
  ])
  const hanging = await shipfeed({ DATABASE_URL: databaseUrl }, { WEBHOOKS: 'any' })
  const without = await shipfeed({ DATABASE_URL: await copyOfDataSet(users, 0, 'other') })
  // Each announces, and all of their webhooks hang from then on.
  await wrk(hanging, announceRequests(users), { seconds: 2 })
  const [badges, feed, announcements] = [badgeRequests(users), feedRequests(), announceRequests(users)]
  const measured = await alternate(
    {
      badges: () => wrk(hanging, badges, { seconds }),
      badgesWithout: () => wrk(without, badges, { seconds }),
      feed: () => wrk(hanging, feed, { seconds }),
      feedWithout: () => wrk(without, feed, { seconds }),
      announcements: () => wrk(hanging, announcements, { seconds }),
      announcementsWithout: () => wrk(without, announcements, { seconds }),
    },
    rounds,
  )
  for (const server of [hanging, without]) await server.stop()
  await receiver.stop(true)
  const peer = `while ${webhooks.toLocaleString('en')} webhooks hang; peer: without webhooks`
  return [
    rates(`badges ${peer}`, measured.badges, measured.badgesWithout, { atLeast: 0.9 }),
    rates(`the feed ${peer}`, measured.feed, measured.feedWithout, { atLeast: 0.9 }),
    rates(`announcements ${peer}`, measured.announcements, measured.announcementsWithout, { atLeast: 0.9 }),
  ]
}
