import { existsSync, readFileSync } from 'node:fs'

/** A signal that ends a Postgres, and how long it is waited for. */
type Ending = readonly [signal: NodeJS.Signals, patienceMs: number]

/** For one that does not answer. */
export const forcible: readonly Ending[] = [
  ['SIGQUIT', 6_000],
  ['SIGKILL', 2_000],
]

/** It closes its connections and writes what is in memory before it ends. */
export const orderly: readonly Ending[] = [['SIGINT', 15_000], ...forcible]

/** Ends a Postgres by the first signal that helps. False if none does. */
export async function endServer(
  pid: number,
  isRunning: () => boolean,
  endings: readonly Ending[],
): Promise<boolean> {
  for (const [signal, patienceMs] of endings) {
    const until = performance.now() + patienceMs
    if (isRunning()) send(pid, signal)
    for (; performance.now() < until; await Bun.sleep(20)) if (!isRunning()) return true
  }
  return false
}

/** A kill goes to the server's own processes too, which would notice its end only at their next step. */
function send(pid: number, signal: NodeJS.Signals): void {
  const pids = signal === 'SIGKILL' ? [pid, ...childrenOf(pid)] : [pid]
  for (const each of pids) {
    try {
      process.kill(each, signal)
    } catch {
      // It has ended already.
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return text === '' ? [] : text.split(' ').map(Number)
}
