import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Elysia } from 'elysia'
import sse from 'htmx.org/dist/ext/hx-sse.min.js' with { type: 'text' }
import htmx from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import { renderBadge } from '../badge/badge.ts'
import { type BadgeStyle, badgeStyles } from '../badge/styles.ts'
import { basePathOf } from '../domain/base-path.ts'
import { assetHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { type Responder, textResponder } from '../http/responses.ts'
import { type BadgeExample, badgeExamples, exampleOf } from '../views/docs/badges.tsx'
import type { Assets, Site } from '../views/page/site.ts'

/** By the end of the name of a file. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
}

const imported = /^import (?:(\{[^{}]*\}) from )?['"]\.\/(.+?)\.js['"];?$/gm
const exported = /^export ((?:async )?(?:function|const|class) (\w+))/gm

/** The root of the folders that are read. `npm run build` embeds them next to the code of the binary. */
const root = Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, '../..')

/** Our scripts, and three modules of the server for ages, days and counts. Those import nothing but each other. */
const modules: Readonly<Record<string, string>> = {
  ...scripts('static/js'),
  ...scripts('static/wall'),
  'time.js': typeScript('src/domain/time.ts'),
  'dates.js': typeScript('src/views/parts/dates.ts'),
  'tally.js': typeScript('src/domain/statistics/tally.ts'),
}

const files: Readonly<Record<string, string>> = {
  'site.css': stylesheet(),
  // One file each, so that a distant reader waits once.
  'app.js': joinedModules(modules, 'app'),
  'wall.js': joinedModules(modules, 'wall'),
  'wall.css': read('static/wall/wall.css'),
  // When its file has run, htmx starts with the extensions that exist by then, so this one is in the same file.
  'htmx.js': `${htmx}\n${sse}`,
  'favicon-waiting.svg': read('static/favicon-waiting.svg'),
  ...exampleBadges(),
}

/** The folder is named by a hash of all files, so no cached copy is ever out of date. */
const folder = `/assets/${Bun.hash(JSON.stringify(files)).toString(36)}`

export const assetAddresses: Assets = {
  css: `${folder}/site.css`,
  htmx: `${folder}/htmx.js`,
  app: `${folder}/app.js`,
  favicon: '/favicon.svg',
  wall: { css: `${folder}/wall.css`, script: `${folder}/wall.js` },
}

export function exampleBadgeAddress(example: BadgeExample, style: BadgeStyle): string {
  return `${folder}/${exampleBadgeName(example, style)}`
}

const forEver = 'public, max-age=31536000, immutable'
const aDay = 'public, max-age=86400'

/** GET /assets/*, /robots.txt and the icons that browsers and phones request by themselves. */
export function assets({ baseUrl, membersOnly }: Pick<Site, 'baseUrl' | 'membersOnly'>) {
  const responders = (cacheControl: string) =>
    new Map(Object.entries(files).map(([name, text]) => [name, servable(name, text, cacheControl)]))
  const ours = responders(forEver)
  // During an upgrade, another process may have drawn the page. Its file may differ, but a page without one is broken.
  const ofOthers = responders('no-store')
  const serveFavicon = servable('favicon.svg', read('static/favicon.svg'), aDay)
  const robots = membersOnly ? 'User-agent: *\nDisallow: /\n' : read('static/robots.txt')
  // With the base path, although crawlers read robots.txt only at the root of a host.
  const ofHost = robots.replaceAll(': /', `: ${basePathOf(baseUrl)}/`)
  const serveRobots = servable('robots.txt', ofHost, aDay)
  return new Elysia({ name: 'assets' })
    .get('/assets/*', ({ path, request }) => {
      const [, hash, name = ''] = /^\/assets\/([0-9a-z]+)\/([\w.-]+)$/.exec(path) ?? []
      const serve = (`/assets/${hash}` === folder ? ours : ofOthers).get(name)
      if (serve === undefined) throw new Problem('not_found', 'No file has this address.')
      return serve(request)
    })
    .get('/favicon.svg', ({ request }) => serveFavicon(request))
    .get('/favicon.ico', serveIcon)
    .get('/apple-touch-icon.png', serveIcon)
    .get('/robots.txt', ({ request }) => serveRobots(request))
}

/** The favicon on white, 180 pixels wide. */
const icon = readFileSync(join(root, 'static/icon.png'))

function serveIcon(): Response {
  return new Response(icon, {
    headers: { ...assetHeaders, 'Content-Type': 'image/png', 'Cache-Control': aDay },
  })
}

function servable(name: string, text: string, cacheControl: string): Responder {
  const type = `${types[extname(name)]}; charset=utf-8`
  const headers = { ...assetHeaders, 'Content-Type': type, 'Cache-Control': cacheControl }
  return textResponder(text, { headers }, 'best')
}

/** The files of static/css as one, in the order of the numbers in their names, without comments and indentation. */
function stylesheet(): string {
  return namesIn('static/css')
    .map((name) =>
      read(`static/css/${name}`)
        .replace(/\/\*(?:(?!\/\*).)*?\*\/\n*/gs, '')
        .replace(/^ +|\n(?=\n)/gm, ''),
    )
    .join('\n')
}

function scripts(folder: string): Record<string, string> {
  const names = namesIn(folder).filter((name) => name.endsWith('.js'))
  return Object.fromEntries(names.map((name) => [name, read(`${folder}/${name}`)]))
}

function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).sort()
}

function exampleBadges(): Record<string, string> {
  const badges: Record<string, string> = {}
  for (const example of badgeExamples) {
    for (const style of badgeStyles) {
      const { facts, choice } = exampleOf(example, style)
      badges[exampleBadgeName(example, style)] = renderBadge(facts, choice)
    }
  }
  return badges
}

function exampleBadgeName(example: BadgeExample, style: BadgeStyle): string {
  return `badge-${style}-${example.toLowerCase()}.svg`
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** A module of the server. What it imports must be one of `modules` too. */
function typeScript(path: string): string {
  const text = new Bun.Transpiler({ loader: 'ts' }).transformSync(read(path))
  return text.replace(/^(import [^'"\r\n]* from ["'])[^'"\r\n]*\/([^'"\r\n/]+)\.ts(?=["'])/gm, '$1./$2.js')
}

/**
 * Joins modules into one script without comments and needless spaces. Each becomes a constant that holds its exports.
 * Modules must import with `import { a, b } from './x.js'`, export by declaration, and not import each other in a
 * circle.
 */
function joinedModules(texts: Readonly<Record<string, string>>, entry: string): string {
  const joined = new Set<string>()
  return new Bun.Transpiler({ loader: 'js', minifyWhitespace: true }).transformSync(textOf(entry))

  function textOf(name: string): string {
    if (joined.has(name)) return ''
    joined.add(name)
    const text = texts[`${name}.js`]
    if (text === undefined) throw new Error(`No module is called ${name}`)
    const before = [...text.matchAll(imported)].map(([, , other = '']) => textOf(other))
    const body = text
      .replace(imported, (_, names: string = '', other: string) => {
        const known = exportsOf(other)
        const missing = names.match(/\w+/g)?.find((each) => !known.includes(each))
        if (missing !== undefined)
          throw new Error(`${name}.js imports ${missing}, which ${other}.js does not have`)
        return names === '' ? '' : `const ${names} = ${constantOf(other)}`
      })
      .replace(exported, '$1')
    return `${before.join('')}const ${constantOf(name)} = (() => {\n${body}\nreturn { ${exportsOf(name).join(', ')} }\n})()\n`
  }

  function exportsOf(name: string): string[] {
    return [...(texts[`${name}.js`] ?? '').matchAll(exported)].map(([, , each = '']) => each)
  }
}

function constantOf(name: string): string {
  return `module_${name.replaceAll('-', '_')}`
}
