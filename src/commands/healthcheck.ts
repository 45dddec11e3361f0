import type { Config } from '../config.ts'
import { type Command, CommandRefused, program } from './command.ts'

const patienceMs = 5_000

/** `healthcheck`: whether the process on this host's PORT is ready, for an image that has no curl. */
export const healthcheck: Command = {
  name: 'healthcheck',
  summary: 'ask the process that serves on this machine whether it is ready',
  usage: `${program} healthcheck

It asks HOST and PORT for /readyz, and exits with 0 or 1. For example: PORT=8080 ${program} healthcheck`,
  prepare: () => ({ alone: async ({ readConfig }) => console.log(await readiness(readConfig())) }),
}

/** What /readyz says. Throws CommandRefused where nobody answers, or answers that it is not ready. */
async function readiness({ host, port }: Config): Promise<string> {
  const address = `http://${reachable(host)}:${port}/readyz`
  // Where HTTP_PROXY is set, it leads to other machines.
  const asked = { proxy: false, signal: AbortSignal.timeout(patienceMs) } as const
  const response = await fetch(address, asked).catch((error: Error) => {
    throw new CommandRefused(`${address} does not answer (${'code' in error ? error.code : error.name})`)
  })
  const said = (await response.text()).trim().replaceAll('\n', '; ')
  if (!response.ok) throw new CommandRefused(`${address} says: ${said}`)
  return said
}

/** An address to call for one to listen on: all of this machine's are reached by its loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
