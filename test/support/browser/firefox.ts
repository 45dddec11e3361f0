import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { decodePng } from '../png.ts'
import { startCommand, temporaryDirectory } from '../process.ts'
import { type Engine, typing } from './engine.ts'

type Answer = { readonly id: number; readonly result?: unknown; readonly message?: string }

/**
 * Starts Firefox without windows, for a reader who wants letters of at least so many pixels, and drives it by WebDriver
 * BiDi (https://w3c.github.io/webdriver-bidi).
 */
export async function startFirefox(minFontSize = 0): Promise<Engine> {
  const { path, remove } = temporaryDirectory()
  writeFileSync(join(path, 'user.js'), `user_pref("font.minimum-size.x-western", ${minFontSize});\n`)
  const { child, output } = startCommand(
    ['firefox-esr', '--headless', '--no-remote', '--profile', path, '--remote-debugging-port=0'],
    { cwd: path, env: { PATH: process.env.PATH ?? '', HOME: path, MOZ_DISABLE_CONTENT_SANDBOX: '1' } },
  )
  const address = () => /WebDriver BiDi listening on (ws:\S+)/.exec(output())?.[1]
  await eventually('Firefox listens', () => address() !== undefined)
  const send = await connect(`${address()}/session`)
  await send('session.new', { capabilities: {} })
  let context = ''
  const openTab = async () => {
    ;({ context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' }))
  }
  await openTab()
  return {
    openTab,
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async read(expression) {
      const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression}) ?? null))()`,
        target: { context },
        awaitPromise: true,
      })
      if (result === undefined) throw new Error(exceptionDetails?.text)
      return JSON.parse(result.value)
    },
    async type(text) {
      await send('input.performActions', { context, actions: typing(text) })
    },
    async resize(width) {
      await send('browsingContext.setViewport', { context, viewport: { width, height: 800 } })
    },
    async goBack() {
      await send('browsingContext.traverseHistory', { context, delta: -1 })
    },
    async picture() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context })
      return decodePng(Buffer.from(data, 'base64'))
    },
    async close() {
      child.kill()
      await child.exited
      remove()
    },
  }
}

type Evaluated = { readonly result?: { value: string }; readonly exceptionDetails?: { text: string } }

/** Connects to a WebSocket, and returns a function that sends a command and resolves with its result. */
async function connect(address: string) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, message }: Answer = JSON.parse(data)
    if (message === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(message))
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let id = 0
  return async <Result>(method: string, params: object): Promise<Result> => {
    id += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    socket.send(JSON.stringify({ id, method, params }))
    return (await answer.promise) as Result
  }
}
