import { fileURLToPath } from 'node:url'

/**
 * The events of a crowd until now: the instants of returns on the machine's clock, and how many received each event.
 */
type Told = {
  readonly returns: readonly number[]
  readonly refused: number
  readonly twice: number
  readonly received: readonly (readonly [id: number, readers: number])[]
  readonly open: number
}

/** Many watchers that come back, in a process of their own. */
export type Returning = { tell(): Promise<Told>; leave(): void }

/** Opens this many feeds of a server, and resolves once they are all open. */
export async function gather(url: string, size: number, manner: string): Promise<Returning> {
  const held = Promise.withResolvers<void>()
  let answer = Promise.withResolvers<Told>()
  const file = fileURLToPath(new URL('returning.ts', import.meta.url))
  const child = Bun.spawn([process.execPath, file, url, String(size), manner], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    ipc(news: { kind: 'held' } | ({ kind: 'told' } & Told)) {
      if (news.kind === 'held') held.resolve()
      else answer.resolve(news)
    },
  })
  void child.exited.then(() => held.reject(new Error(`The readers of ${url} ended`)))
  await held.promise

  return {
    tell() {
      answer = Promise.withResolvers<Told>()
      child.send('tell')
      return answer.promise
    },
    leave: () => child.kill('SIGKILL'),
  }
}

/** The most of these sorted instants that lie within this many milliseconds. */
export function maxWithin(milliseconds: number, instants: readonly number[]): number {
  let first = 0
  const counts = instants.map((at, last) => {
    while (at - (instants[first] ?? at) > milliseconds) first += 1
    return last - first + 1
  })
  return Math.max(0, ...counts)
}
