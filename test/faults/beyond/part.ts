import type { PostgresCluster } from '../../support/postgres/cluster.ts'
import type { Pooler } from '../../support/postgres/pgbouncer.ts'

/** One of the programs that a topology consists of, and what may happen to it. */
export type Part = {
  readonly name: string
  /** Ends it without a word, as a machine that loses power; `start` brings it back. */
  kill(): Promise<void>
  /** Ends it as its operator does; `start` brings it back. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Halts it, as a machine that hangs; `thaw` lets it go on. */
  freeze(): void
  thaw(): void
}

/** A part that is one process; `run` starts it and resolves when it serves. */
export async function processPart(name: string, run: () => Promise<Bun.Subprocess>): Promise<Part> {
  let child = await run()
  return {
    name,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async start() {
      child = await run()
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await child.exited
  }
}

/** A Postgres server as a part. */
export function clusterPart(name: string, cluster: PostgresCluster): Part {
  return {
    name,
    kill: () => cluster.stop('immediate'),
    stop: () => cluster.stop('fast'),
    start: cluster.start,
    freeze: cluster.freeze,
    thaw: cluster.thaw,
  }
}

/** A pooler as a part: it has nothing to write down, so both ends are the same. */
export function poolerPart(name: string, { kill, start, freeze, thaw }: Pooler): Part {
  return { name, kill, stop: kill, start, freeze, thaw }
}
