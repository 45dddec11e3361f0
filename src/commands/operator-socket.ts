import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../database/errors.ts'
import { argumentsOf, type Command, CommandRefused, type Context, type Output } from './command.ts'

/** A command with its arguments, to run it or to get the question that is asked before it. */
type Asked = readonly string[] | { readonly question: readonly string[] }

/** Only the owner of the data directory may use the socket: that is the operator. */
const ownerOnly = 0o177

/** A command may run long before its first output. Bun's types lack this option for sockets. */
const noTimeout: object = { idleTimeout: 0 }

/** Runs commands for other processes. Returns what stops it. Throws if no socket can be made, as on a long path. */
export function serveOperator(
  dataDir: string,
  commands: readonly Command[],
  context: Omit<Context, 'output'>,
): () => void {
  const served = commands.filter((command) => 'withDatabase' in command)
  const unix = socketIn(dataDir)
  // A process that was killed left it behind: a running one would hold the lock of the directory.
  rmSync(unix, { force: true })
  const umask = process.umask(ownerOnly)
  try {
    const server = Bun.serve({
      unix,
      ...noTimeout,
      async fetch(request) {
        const asked = (await request.json()) as Asked
        const [name, ...words] = 'question' in asked ? asked.question : asked
        const command = served.find((command) => command.name === name)
        if (command === undefined) return refusal('the running service does not know this command')
        const args = argumentsOf(command, words)
        await context.db.migrated
        if ('question' in asked) return new Response(await command.question?.(context.db, args))
        return await answer((output) => command.withDatabase({ ...context, output }, args))
      },
      error: ({ message }) => refusal(message),
    })
    return () => void server.stop(true)
  } finally {
    process.umask(umask)
  }
}

/** Null if no process serves there. Throws its CommandRefused. The body breaks off if the command fails later. */
export async function askServer(dataDir: string, asked: Asked): Promise<Response | null> {
  const call = { unix: socketIn(dataDir), method: 'POST', body: JSON.stringify(asked), timeout: false }
  const response = await fetch('http://operator/', call).catch((error: unknown) => {
    if (['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '')) return null
    throw error
  })
  if (response?.ok === false) throw new CommandRefused(await response.text())
  return response
}

/** A failure before the first output becomes a response of its own. A later failure cuts the response off. */
async function answer(run: (output: Output) => Promise<void>): Promise<Response> {
  const { readable, writable } = new TransformStream<Uint8Array>()
  const writer = writable.getWriter()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const done = run(async (chunk) => {
    begin()
    await writer.write(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  })
  done
    .then(
      () => writer.close(),
      (error: unknown) => writer.abort(error),
    )
    .catch(() => {})
  await Promise.race([begun, done])
  return new Response(readable)
}

function refusal(message: string): Response {
  return new Response(message, { status: 422 })
}

function socketIn(dataDir: string): string {
  return join(dataDir, 'operator.sock')
}
