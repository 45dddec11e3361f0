// `bun bench/browser/pictures.ts`: the pictures of README, from the seed and in Inter, and a film of an arrival. Needs
// img2webp (Debian's package webp) in the PATH. EMOJI_FONT is the path of a font with emoji, if the machine has none.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { seed, seededPassword } from '../../src/capabilities/seed/commands.ts'
import { emptyDatabase } from '../../test/support/database.ts'
import { rollToken, signIn } from '../../test/support/people.ts'
import { leaveSharedDatabase, type Service, startService } from '../../test/support/service.ts'

const root = join(import.meta.dir, '../..')
const pictures = join(root, 'docs/pictures')
const fonts = join(root, 'node_modules/@expo-google-fonts/inter')
const inter = { 400: '400Regular', 500: '500Medium', 600: '600SemiBold', 700: '700Bold' } as const

const size = { width: 1280, height: 860 } as const
const film = { width: 1000, height: 800, everyMs: 125, beforeMs: 1_500, afterMs: 8_000 } as const

const service = await startService()
await emptyDatabase(service.db)
await seed(service.db, new Date())
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const scheme of ['light', 'dark'] as const) {
  await takePicture(`feed-${scheme}`, { path: '/', scheme, ...size })
  await takePicture(`profile-${scheme}`, { path: '/ada', scheme, ...size })
}
await takeFilm()
await browser.close()
await service.close()
await leaveSharedDatabase()

type View = { path: string; scheme: 'light' | 'dark'; width: number; height: number }

async function takePicture(name: string, view: View): Promise<void> {
  const page = await open(browser, service, view)
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  await page.close()
}

/** Dorothy has announced nothing for 45 days, until now: her entry arrives, and her badge turns green. */
async function takeFilm(): Promise<void> {
  const dorothy = await signIn(service, { username: 'dorothy', name: 'Dorothy Vaughan' }, seededPassword)
  const token = await rollToken(dorothy, { password: seededPassword })
  const page = await open(browser, service, {
    path: '/dorothy',
    scheme: 'light',
    width: film.width,
    height: film.height,
  })
  const folder = mkdtempSync(join(tmpdir(), 'shipfeed-film-'))
  const frames: string[] = []
  const end = performance.now() + film.beforeMs + film.afterMs
  let isAnnounced = false
  while (performance.now() < end) {
    const due = Bun.sleep(film.everyMs)
    if (!isAnnounced && performance.now() > end - film.afterMs) {
      isAnnounced = true
      await announce(token)
    }
    const frame = join(folder, `${String(frames.length).padStart(3, '0')}.png`)
    await page.screenshot({ path: frame })
    frames.push(frame)
    await due
  }
  const output = join(pictures, 'arrival.webp')
  const delay = ['-d', String(film.everyMs)]
  const made = Bun.spawnSync([
    'img2webp',
    '-loop',
    '0',
    ...delay,
    '-lossy',
    '-q',
    '80',
    ...frames,
    '-o',
    output,
  ])
  rmSync(folder, { recursive: true })
  if (!made.success) throw new Error(`img2webp failed: ${made.stderr}`)
  console.log(`${frames.length} frames, ${Bun.file(output).size} bytes`)
}

async function announce(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  const body = new URLSearchParams({
    message:
      'feat: areas of closed curves, in one pass\n\nHalf the time of the old way, and no curve is cut.',
    url: 'https://github.com/west/area/releases/tag/v1.1.0',
    environment: 'production',
    version: 'v1.1.0',
  })
  const { status } = await service.fetch('/api', { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`the announcement was answered with ${status}`)
}

async function open(
  browser: Browser,
  { url }: Service,
  { path, scheme, width, height }: View,
): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width, height }, colorScheme: scheme },
    // For the fonts.
    bypassCSP: true,
  })
  const page = await context.newPage()
  await page.goto(url + path)
  await page.addStyleTag({ content: fontFaces() })
  await page.evaluate('document.fonts.ready')
  await page.locator('#live-state[data-state=live]').waitFor()
  return page
}

/** Inter in all weights of the pages, and emoji. */
function fontFaces(): string {
  const emoji = process.env.EMOJI_FONT
  const faces = Object.entries(inter).map(([weight, name]) =>
    fontFace('Inter', join(fonts, name, `Inter_${name}.ttf`), weight),
  )
  if (emoji !== undefined) faces.push(fontFace('Emoji', emoji, '400 700'))
  return `${faces.join('')}:root{--sans:Inter,Emoji,sans-serif}`
}

function fontFace(family: string, path: string, weight: string): string {
  const data = readFileSync(path).toString('base64')
  return `@font-face{font-family:${family};src:url(data:font/ttf;base64,${data});font-weight:${weight}}`
}
