import { fileURLToPath } from 'node:url'
import { eventually } from '../eventually.ts'
import { freePort, metricsUrlOf, type Process, startCommand } from '../process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Processes of ours on one Postgres, each on a port of its own. */
export type Fleet = {
  readonly ports: readonly number[]
  /** Starts the process of a port, and waits until it is ready. */
  start(n: number): Promise<void>
  kill(n: number): Promise<void>
  /** Ends it as an operator does, and gives its exit code. */
  end(n: number): Promise<number>
  pidOf(n: number): number | undefined
  /** The sum of what a metric counts in the process that runs now: /^name.*$/ for all of its labels. */
  counted(n: number, metric: string): Promise<number>
  stop(): Promise<void>
}

type Options = {
  readonly size: number
  readonly databaseUrl: string
  readonly address: string
  readonly settings?: Readonly<Record<string, string>>
}

export function fleet({ size, databaseUrl, address, settings = {} }: Options): Fleet {
  const ports = Array.from({ length: size }, freePort)
  const processes: (Process | undefined)[] = ports.map(() => undefined)

  return {
    ports,
    async start(n) {
      const process = startCommand([globalThis.process.execPath, 'src/main.ts'], {
        cwd: root,
        env: {
          PATH: globalThis.process.env.PATH ?? '',
          BASE_URL: address,
          HOST: '127.0.0.1',
          PORT: String(ports[n]),
          DATABASE_URL: databaseUrl,
          TRUSTED_PROXIES: '127.0.0.1',
          RATE_LIMIT_PER_MINUTE: '0',
          SIGN_UPS_PER_HOUR: '0',
          STREAMS_PER_ADDRESS: '100000',
          METRICS_PORT: '0',
          ...settings,
        },
      })
      processes[n] = process
      const url = await process.url
      await eventually('it is ready', async () => (await fetch(`${url}/readyz`)).ok)
    },
    async kill(n) {
      processes[n]?.child.kill('SIGKILL')
      await processes[n]?.child.exited
    },
    async end(n) {
      processes[n]?.child.kill('SIGTERM')
      return (await processes[n]?.child.exited) ?? -1
    },
    pidOf: (n) => processes[n]?.child.pid,
    async counted(n, metric) {
      const process = processes[n]
      const text = process === undefined ? '' : await (await fetch(await metricsUrlOf(process))).text()
      const values = [...text.matchAll(new RegExp(`^${metric}(?:{.*})? (\\d+)$`, 'gm'))]
      return values.reduce((sum, [, value]) => sum + Number(value), 0)
    },
    async stop() {
      for (const process of processes) {
        process?.child.kill('SIGKILL')
        await process?.child.exited
      }
    },
  }
}
