import { expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { passMidnight } from '../eventually.ts'
import { needing } from '../needs/needs.ts'
import { programOf } from '../needs/programs.ts'
import { afterThisProcess, temporaryDirectory } from '../process.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A name on plain http: browsers trust only localhost as they trust https.
  '--host-resolver-rules=MAP ship.lan 127.0.0.1',
]

/** The browser of this test process, which ends with it; each test has a context of its own. */
let shared: Promise<Browser> | null = null

type Options = BrowserContextOptions & {
  /** What the console may say: a server that is stopped shows there. */
  readonly expected?: readonly RegExp[]
}

/** Opens pages; everything that goes wrong in them fails the test. */
export type Visitor = { readonly context: BrowserContext; open(url: string): Promise<Page> }

/**
 * A test in a browser that nobody else uses. It fails on any error of the console or of the page's policy. It does
 * not begin just before midnight: most of them look at what a list has under "Today".
 */
export function browserTest(
  name: string,
  body: (visitor: Visitor) => Promise<void>,
  { expected = [], ...options }: Options = {},
): void {
  needing('chromium').test(name, async () => {
    await passMidnight()
    const context = await newContext(options)
    const problems: string[] = []
    try {
      await listen(context, problems)
      await body({ context, open: (url) => openPage(context, url) })
    } finally {
      await context.close()
    }
    expect(problems.filter((problem) => !expected.some((known) => known.test(problem)))).toEqual([])
  })
}

/** Clicks on what leads to another page, and waits for the whole page: a click waits only for its beginning. */
export async function follow(page: Page, selector: string): Promise<void> {
  await page.click(selector)
  await page.waitForLoadState()
}

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  shared ??= launch()
  const context = await (await shared).newContext({ viewport: { width: 1080, height: 800 }, ...options })
  context.setDefaultTimeout(60_000)
  return context
}

/** Launches the browser. Another process deletes its files, since this one runs nothing at its end. */
async function launch(): Promise<Browser> {
  const { path } = temporaryDirectory()
  afterThisProcess('rm', '-rf', path)
  const { TMPDIR } = process.env
  process.env.TMPDIR = path
  try {
    // Loaded here: most test processes need no browser.
    const playwright = await import('playwright-core')
    return await playwright.chromium.launch({ executablePath: programOf('chromium') ?? '', args })
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

async function listen(context: BrowserContext, problems: string[]): Promise<void> {
  context.on('weberror', (error) => problems.push(`page error: ${error.error().message}`))
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`)
  })
  // A string, like every script for the page: our code has no types of a browser.
  await context.addInitScript(`
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy:', violatedDirective, blockedURI))`)
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}
