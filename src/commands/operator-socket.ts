import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, CommandRefused, type Context } from './command.ts'

type Output = Context['output']

/** For whoever may write in the data directory: that is the operator. */
const ownerOnly = 0o177

/**
 * A command may work for long before it says something. Bun obeys it for a socket too, though its types have
 * no room for it.
 */
const noTimeout: object = { idleTimeout: 0 }

/**
 * Answers commands in a data directory, whose database no second process may open. Gives the function that
 * ends it. Throws where the file system takes no socket, as when the path is too long.
 */
export function serveOperator(
  dataDir: string,
  commands: readonly Command[],
  context: Omit<Context, 'output'>,
): () => void {
  const unix = socketIn(dataDir)
  // Of a process that was killed; a living one would hold the directory's lock.
  rmSync(unix, { force: true })
  const umask = process.umask(ownerOnly)
  try {
    const server = Bun.serve({
      unix,
      ...noTimeout,
      async fetch(request) {
        const [name, ...args] = (await request.json()) as string[]
        const task = commands.find((command) => command.name === name)?.prepare(args)
        if (task === undefined || !('withDatabase' in task))
          return refusal('this server knows no such command')
        return await answer((output) => task.withDatabase({ ...context, output }))
      },
      error: ({ message }) => refusal(message),
    })
    return () => void server.stop(true)
  } finally {
    process.umask(umask)
  }
}

/**
 * Has the process that serves a data directory run a command. False if none does. Throws CommandRefused with
 * what it says, and the error of a connection that breaks off.
 */
export async function askServer(dataDir: string, words: readonly string[], output: Output): Promise<boolean> {
  const asked = { unix: socketIn(dataDir), method: 'POST', body: JSON.stringify(words), timeout: false }
  const response = await fetch('http://operator/', asked).catch((error: unknown) => {
    if (isNobodyThere(error)) return null
    throw error
  })
  if (response === null) return false
  if (!response.ok) throw new CommandRefused(await response.text())
  for await (const chunk of response.body ?? []) await output(chunk)
  return true
}

/** A refusal before the first output is an answer of its own; a failure after it breaks the answer off. */
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

function isNobodyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code))
}
