import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { decodePng } from '../png.ts'
import { freePort, startCommand, temporaryDirectory } from '../process.ts'
import { type Engine, typing } from './engine.ts'

/**
 * Starts WebKit's own small browser on a display of its own, for a reader who wants letters of at least so many pixels,
 * and drives it by WebDriver (https://w3.org/TR/webdriver2).
 */
export async function startWebkit(minFontSize = 0): Promise<Engine> {
  const { path, remove } = temporaryDirectory()
  const env = { PATH: process.env.PATH ?? '', HOME: path }
  const screen = startCommand(
    ['Xvfb', '-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'],
    {
      cwd: path,
      env,
    },
  )
  await eventually('there is a display', () => /^\d+\n/.test(screen.output()))
  const port = freePort()
  const driver = startCommand(['WebKitWebDriver', `--port=${port}`], {
    cwd: path,
    env: { ...env, DISPLAY: `:${screen.output().trim()}` },
  })
  const root = `http://127.0.0.1:${port}`
  await eventually('the driver listens', () =>
    fetch(`${root}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const settings = join(path, 'settings.ini')
  writeFileSync(settings, `[websettings]\nminimum-font-size=${minFontSize}\n`)
  const [binary] = globSync('/usr/lib/*/webkit2gtk-*/MiniBrowser')
  // Without its bars, the window can be as narrow as a phone.
  const browser = { binary, args: ['--automation', '--full-screen', `--config=${settings}`] }
  const { sessionId } = await call<{ sessionId: string }>('POST', `${root}/session`, {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
  })
  const session = `${root}/session/${sessionId}`
  const send = <Value>(path: string, body: object = {}) => call<Value>('POST', `${session}/${path}`, body)
  return {
    async open(url) {
      await send('url', { url })
    },
    async read(expression) {
      return JSON.parse(
        await send<string>('execute/sync', {
          script: `return (async () => JSON.stringify(await (${expression}) ?? null))()`,
          args: [],
        }),
      )
    },
    async type(text) {
      await send('actions', { actions: typing(text) })
    },
    async resize(width) {
      await send('window/rect', { width, height: 800 })
    },
    async goBack() {
      await send('back')
    },
    async openTab() {
      const { handle } = await send<{ handle: string }>('window/new', { type: 'tab' })
      await send('window', { handle })
    },
    async picture() {
      return decodePng(Buffer.from(await call<string>('GET', `${session}/screenshot`), 'base64'))
    },
    async close() {
      await call('DELETE', session)
      for (const { child } of [driver, screen]) {
        child.kill()
        await child.exited
      }
      remove()
    },
  }
}

async function call<Value>(method: string, url: string, body?: object): Promise<Value> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: Value & { message?: string } }
  if (!response.ok) throw new Error(value.message)
  return value
}
