import type { Config } from '../config.ts'
import { type Command, CommandRefused, program } from './command.ts'

const patienceMs = 5_000

/** For images without curl. */
export const healthcheckCommand: Command = {
  name: 'healthcheck',
  summary: 'ask the service on this machine whether it is ready',
  usage: `${program} healthcheck

It requests /readyz from HOST and PORT, and exits with 0 or 1. For example: PORT=8080 ${program} healthcheck`,
  alone: async (readSettings) => console.log(await readiness(readSettings().config)),
}

/** The answer of /readyz. Throws CommandRefused if there is none, or if the service is not ready. */
async function readiness({ host, port }: Config): Promise<string> {
  const address = `http://${reachable(host)}:${port}/readyz`
  // Without the proxy of HTTP_PROXY, which leads to other machines.
  const asked = { proxy: false, signal: AbortSignal.timeout(patienceMs) } as const
  const response = await fetch(address, asked).catch((error: Error) => {
    throw new CommandRefused(`${address} does not answer (${'code' in error ? error.code : error.name})`)
  })
  const said = (await response.text()).trim().replaceAll('\n', '; ')
  if (!response.ok) throw new CommandRefused(`${address} says: ${said}`)
  return said
}

/** The address at which to reach a HOST. A service that listens on all addresses is reached on the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
