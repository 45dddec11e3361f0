import { fromNewAddress, type Poster } from '../../support/people.ts'

/** What others ask for while somebody attacks. */
const asked = ['badge', 'feed', 'announcement'] as const

export type Asked = (typeof asked)[number]

/** What they met: the statuses that were not right, and how long it took, the median and the longest in ms. */
export type Met = { readonly wrong: readonly string[]; readonly median: number; readonly longest: number }

const everyMs = 100

/** Asks for a badge, the feed and an announcement ten times a second from another address, however slow answers are. */
export async function neighboursMeet(
  url: string,
  poster: Poster,
  seconds: number,
): Promise<Record<Asked, Met>> {
  const headers = fromNewAddress()
  // The service may close an idle connection at the moment in which it is used again.
  const keepalive = false
  const ask: Record<Asked, () => Promise<Response>> = {
    badge: () => fetch(`${url}/badge/${poster.username}.svg`, { headers, keepalive }),
    feed: () => fetch(`${url}/`, { headers, keepalive }),
    announcement: () =>
      fetch(`${url}/api`, {
        method: 'POST',
        keepalive,
        headers: { ...headers, Authorization: `Bearer ${poster.token}` },
        body: new URLSearchParams({ message: 'fix: it' }),
      }),
  }
  const met: Record<Asked, { wrong: string[]; took: number[] }> = {
    badge: { wrong: [], took: [] },
    feed: { wrong: [], took: [] },
    announcement: { wrong: [], took: [] },
  }
  const asking: Promise<void>[] = []
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    for (const what of asked) asking.push(answered(what))
    await Bun.sleep(everyMs)
  }
  await Promise.all(asking)
  return { badge: summaryOf('badge'), feed: summaryOf('feed'), announcement: summaryOf('announcement') }

  async function answered(what: Asked): Promise<void> {
    const begun = performance.now()
    const told = await ask[what]()
      .then(async (response) => {
        await response.arrayBuffer()
        return `${response.status}${response.headers.get('x-shipfeed-status') ?? ''}`
      })
      .catch((error) => String(error))
    met[what].took.push(performance.now() - begun)
    if (told !== (what === 'announcement' ? '201' : '200')) met[what].wrong.push(told)
  }

  function summaryOf(what: Asked): Met {
    const took = met[what].took.toSorted((a, b) => a - b)
    return {
      wrong: met[what].wrong,
      median: Math.round(took[Math.floor(took.length / 2)] ?? 0),
      longest: Math.round(took.at(-1) ?? 0),
    }
  }
}
