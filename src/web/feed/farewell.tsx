import { Html } from '@elysiajs/html'
import { isRetired } from '../../data/account/users.ts'
import type { Db } from '../../database/db.ts'
import { frame } from '../../http/event-frame.ts'
import { eventStreamHeaders } from '../../http/headers.ts'
import { fragment } from '../../http/respond.ts'
import { LiveEvent } from '../../views/feed/live.tsx'

type Asked = { readonly username: string | null; readonly accept: string }

/**
 * The answer to an open page of an account that was deleted while the page was away: that event alone, as a stream that
 * ends or as a fragment. Null if the username was nobody's.
 */
export async function farewellOf(db: Db, { username, accept }: Asked): Promise<Response | null> {
  if (username === null || !(await isRetired(db, username))) return null
  const event = <LiveEvent event={{ kind: 'account_deleted', id: 0, username }} place="feed" />
  if (!accept.includes('text/event-stream')) return fragment(event, { isPrivate: true })
  return new Response(frame({ data: String(event) }), { headers: eventStreamHeaders })
}
