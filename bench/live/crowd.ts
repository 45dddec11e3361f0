import { fileURLToPath } from 'node:url'

const patienceMs = 10_000

/** Many watchers in a process of their own. Instants are of `now()`. */
export type Crowd = {
  /** When the first and when the last of them has received a post. */
  receive(post: string): { readonly first: Promise<number>; readonly last: Promise<number> }
  leave(): Promise<void>
}

type News = { kind: 'held' } | { kind: 'first' | 'last'; post: string; at: number }

/** Milliseconds on a clock that all processes of the machine share. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/**
 * Opens this many feeds of a server, of everyone or of that many profiles in turn, and resolves when it has
 * answered all of them.
 */
export async function gather(
  kind: 'event-stream' | 'websocket',
  url: string,
  size: number,
  profiles = 0,
): Promise<Crowd> {
  const held = Promise.withResolvers<void>()
  const arrivals = new Map<string, PromiseWithResolvers<number>>()
  const arrival = (name: string) => {
    const known = arrivals.get(name) ?? Promise.withResolvers<number>()
    arrivals.set(name, known)
    return known
  }
  const child = Bun.spawn(
    [
      process.execPath,
      fileURLToPath(new URL('watchers.ts', import.meta.url)),
      ...[kind, url, String(size), String(profiles)],
    ],
    {
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      ipc(news: News) {
        if (news.kind === 'held') held.resolve()
        else arrival(`${news.kind} ${news.post}`).resolve(news.at)
      },
    },
  )
  void child.exited.then(() => held.reject(new Error(`The watchers of ${url} ended`)))
  await held.promise

  return {
    receive: (post) => ({
      first: inTime(arrival(`first ${post}`).promise),
      last: inTime(arrival(`last ${post}`).promise),
    }),
    async leave() {
      child.kill()
      await child.exited
    },
  }
}

async function inTime(arrival: Promise<number>): Promise<number> {
  const late = Bun.sleep(patienceMs).then(() => {
    throw new Error(`A post did not reach all watchers within ${patienceMs} ms`)
  })
  return await Promise.race([arrival, late])
}
