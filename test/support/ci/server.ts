import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { freePort } from '../process.ts'
import type { Service } from '../service.ts'

/** What may become of a server while a pipeline announces; the first part of the path chooses. */
const troubles = {
  works: (_: number, answer: () => Promise<Response>) => answer(),
  'is slow': async (_: number, answer: () => Promise<Response>) => {
    await Bun.sleep(800)
    return await answer()
  },
  hangs: async () => {
    await Bun.sleep(20_000)
    return new Response()
  },
  'refuses once, for it is too often': (call: number, answer: () => Promise<Response>) =>
    call === 1 ? tooOften() : answer(),
  // For longer than is waited.
  'refuses, for it is too often': () => tooOften(600),
  'loses its answer': async (call: number, answer: () => Promise<Response>) => {
    const response = await answer()
    return call === 1 ? new Response('lost', { status: 502 }) : response
  },
} as const

const tooOften = (seconds = 1) =>
  Response.json({ error: 'rate_limited' }, { status: 429, headers: { 'Retry-After': String(seconds) } })

export type Trouble = keyof typeof troubles

/** A server in front of a service, as pipelines meet one. */
export type TroubledServer = {
  /** Its address in one of these troubles; `run` keeps runs in the same trouble apart. */
  address(trouble: Trouble, run: string): string
  /** An address whose script breaks off in the middle. */
  readonly half: string
  /** An address whose script is there, but behind which nothing listens when it is run. */
  readonly gone: string
  /** The keys that calls of a run had, one each. */
  keys(run: string): readonly (string | null)[]
  /** How the calls of a run were answered whose callers were still there. */
  answers(run: string): readonly number[]
  /** Every command line of this machine that was seen while a call was made. */
  readonly commandLines: ReadonlySet<string>
  stop(): Promise<void>
}

/**
 * Makes the long waits of the snippets and the script short: a few tries within some seconds, of which the last may take
 * half, so that a slow machine makes it.
 */
export function impatient(text: string, seconds = 14): string {
  return text
    .replaceAll('--max-time 10', `--max-time ${seconds}`)
    .replaceAll('--retry 9', '--retry 1')
    .replaceAll('SHIPFEED_WAIT:=120', `SHIPFEED_WAIT:=${seconds}`)
}

export async function startTroubledServer(service: Service, port = 0): Promise<TroubledServer> {
  const script = await (await service.fetch('/ci/announce.sh')).text()
  const half = await breaksOff(script)
  const keys = new Map<string, (string | null)[]>()
  const answers = new Map<string, number[]>()
  const commandLines = new Set<string>()
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const [, trouble = '', run = '', ...rest] = new URL(request.url).pathname
        .split('/')
        .map(decodeURIComponent)
      const path = `/${rest.join('/')}`
      if (path === '/ci/announce.sh') {
        const own =
          trouble === 'gone' ? nowhere : `${server.url.origin}/${encodeURIComponent(trouble)}/${run}`
        const served = script.replaceAll('http://shipfeed.test', own)
        return new Response(
          lasting.has(trouble) ? served : trouble === 'hangs' ? impatient(served, 1) : impatient(served),
        )
      }
      for (const line of runningCommands()) commandLines.add(line)
      const calls = keys.get(run) ?? []
      keys.set(run, [...calls, request.headers.get('idempotency-key')])
      const body = await request.bytes()
      const { method, headers } = request
      const answer = await troubles[trouble as Trouble](calls.length + 1, () =>
        service.fetch(path, { method, headers, body }),
      )
      if (!request.signal.aborted) answers.set(run, [...(answers.get(run) ?? []), answer.status])
      return answer
    },
  })
  const { origin } = server.url
  return {
    address: (trouble, run) => `${origin}/${encodeURIComponent(trouble)}/${run}`,
    half: half.address,
    gone: `${origin}/gone/x`,
    keys: (run) => keys.get(run) ?? [],
    answers: (run) => answers.get(run) ?? [],
    commandLines,
    async stop() {
      half.stop()
      await server.stop(true)
    },
  }
}

/** In these troubles the script's tries, which may take two minutes, succeed in the end, so it may make them all. */
const lasting = new Set<string>(['works', 'is slow', 'refuses once, for it is too often', 'loses its answer'])

const nowhere = `http://127.0.0.1:${freePort()}`

/** Promises a whole text, and sends only its beginning. */
async function breaksOff(text: string): Promise<{ address: string; stop: () => void }> {
  const half = text.slice(0, text.length / 2)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${half}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

/** The command lines of all processes of this machine. */
export function runningCommands(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        // The process has ended.
        return []
      }
    })
}
