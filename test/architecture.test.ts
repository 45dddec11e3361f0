import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The direction of imports: which layers a layer may import besides itself. In the core, a layer is a folder of src/. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  badge: ['domain'],
  live: ['domain'],
  // The functions of the database use numbers of the domain.
  database: ['domain'],
  log: [],
  data: ['domain', 'database'],
  outbound: ['domain', 'log'],
  views: ['domain', 'badge', 'drawing'],
  http: ['domain', 'data', 'log'],
  web: ['domain', 'badge', 'drawing', 'live', 'database', 'data', 'outbound', 'views', 'http', 'log'],
  commands: ['', 'domain', 'database', 'data', 'log'],
  /** The layers of a capability alone: pictures, and what is measured. */
  drawing: [],
  measuring: ['', 'domain', 'badge', 'database', 'data', 'http', 'log'],
}

/**
 * Which packages a folder, or '' for src/ itself, may import; node: and bun: are packages here, since they do
 * I/O.
 */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  '': ['elysia', 'bun', 'node:net', 'node:fs', 'node:path'],
  domain: [],
  badge: [],
  drawing: ['@resvg/resvg-wasm', '@expo-google-fonts/inter', 'node:fs'],
  live: [],
  database: [
    'drizzle-orm',
    'postgres',
    'bun:sqlite',
    'node:child_process',
    'node:fs',
    'node:net',
    'node:path',
    'node:readline',
    'node:stream',
    'node:timers',
    'node:util',
    'node:zlib',
  ],
  log: ['node:fs'],
  measuring: ['node:fs', 'node:net'],
  data: ['drizzle-orm'],
  outbound: ['jose', 'node:dns'],
  views: ['@elysiajs/html', 'node:url'],
  http: ['elysia', 'bun', 'node:net', 'node:zlib'],
  web: ['elysia', '@elysiajs/html', 'bun', 'htmx.org', 'node:crypto', 'node:fs', 'node:path'],
  commands: ['drizzle-orm', '@electric-sql/pglite', 'node:fs', 'node:path', 'node:readline'],
}

/** The files that are run, the only ones that read the configuration. */
const entryPoints = ['main.ts']
/** The file that puts the service together. */
const assembly = 'serve.ts'

type Import = { readonly from: string; readonly typeOnly: boolean; readonly isDynamic: boolean }

const source = join(import.meta.dir, '../src')
const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(source)].sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]))

function importsOf(file: string, text: string): Import[] {
  const named = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?\bfrom\s+'([^']+)'/gm)]
  const bare = [...text.matchAll(/^import\s+()'([^']+)'|\bimport\(()'([^']+)'\)/gm)]
  return [...named, ...bare].map(([, type, path, , dynamic]) => {
    const from = path ?? dynamic ?? ''
    return {
      from: from.startsWith('.') ? join(dirname(file), from) : from,
      typeOnly: Boolean(type),
      isDynamic: path === undefined,
    }
  })
}

function folderOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : ''
}

function isOurs({ from }: Import): boolean {
  return texts.has(from)
}

/** A file of the repository that is not code: it is served or unpacked as it is. */
function isData({ from }: Import): boolean {
  return from === '../package.json' || from.startsWith('../ci/') || /\.(image|md|txt|yaml)$/.test(from)
}

function packageOf(from: string): string {
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/')
}

const parts = files.filter((file) => ![...entryPoints, assembly].includes(file))
const inCore = parts.filter((file) => !['', 'capabilities'].includes(folderOf(file)))
const inCapabilities = parts.filter((file) => folderOf(file) === 'capabilities')

test('the imports are found', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(imports.get('serve.ts')?.some(({ from }) => from === 'app.ts')).toBeTrue()
  expect([...imports.values()].flat().length).toBeGreaterThan(300)
})

test('every folder of src/ has its rule', () => {
  const folders = [...new Set(inCore.map(folderOf))]
  expect(folders.filter((folder) => !(folder in mayImport))).toEqual([])
})

/** Every import of these files that breaks a rule, as "file → what it imports". */
function offences(of: readonly string[], breaks: (line: Import, file: string) => boolean): string[] {
  return of.flatMap((file) =>
    (imports.get(file) ?? []).filter((line) => breaks(line, file)).map(({ from }) => `${file} → ${from}`),
  )
}

/** Whether a layer may import a file or package. Within a capability, the file has to fit a layer that may be imported. */
function mayHave(layer: string, line: Import): boolean {
  if (!isOurs(line)) return isData(line) || mayUse[layer]?.includes(packageOf(line.from)) === true
  const layers = folderOf(line.from) === 'capabilities' ? layersOf(line.from) : [folderOf(line.from)]
  return [layer, ...(mayImport[layer] ?? [])].some((allowed) => layers.includes(allowed))
}

const fitting = new Map<string, readonly string[]>()

/** The layers that a file of a capability fits, by what it imports. */
function layersOf(file: string): readonly string[] {
  return fitting.getOrInsertComputed(file, () => {
    const isPure = !impure.test(texts.get(file) ?? '')
    const imported = imports.get(file) ?? []
    return Object.keys(mayImport).filter(
      (layer) => (layer !== 'domain' || isPure) && imported.every((line) => mayHave(layer, line)),
    )
  })
}

/** Which capability a file belongs to; null for the core. */
function capabilityOf(file: string): string | null {
  return folderOf(file) === 'capabilities' ? (file.split('/')[1] ?? null) : null
}

test('a file of the core imports only what its folder may', () => {
  const mayNot = (line: Import, file: string) =>
    isOurs(line) && capabilityOf(line.from) === null && !mayHave(folderOf(file), line)
  expect(offences(inCore, mayNot)).toEqual([])
})

test('the core imports no capability', () => {
  expect(offences(inCore, ({ from }) => capabilityOf(from) !== null)).toEqual([])
})

test('outside their folder, capabilities are named in their list and in that of the tables alone', () => {
  const outside = files.filter((file) => capabilityOf(file) === null)
  const named = offences(outside, ({ from }) => capabilityOf(from) !== null)
  expect([...new Set(named.map((line) => line.split(' ')[0]))]).toEqual(['capabilities.ts', 'table-uses.ts'])
})

test('a capability imports no other one', () => {
  const isOther = ({ from }: Import, file: string) =>
    capabilityOf(from) !== null && capabilityOf(from) !== capabilityOf(file)
  expect(offences(inCapabilities, isOther)).toEqual([])
})

test('each file of a capability but its list fits a layer', () => {
  const listed = inCapabilities.filter((file) => !file.endsWith('/capability.ts'))
  expect(listed.filter((file) => layersOf(file).length === 0)).toEqual([])
})

test('PGlite is loaded by the move alone, and only when there is something to move', () => {
  const isOfPglite = ({ from }: Import) => /pglite$/.test(from) && !from.startsWith('move')
  expect(offences(files, isOfPglite)).toEqual([
    'capabilities/backups/move-from-pglite.ts → @electric-sql/pglite',
    'capabilities/backups/move-from-pglite.ts → drizzle-orm/pglite',
  ])
  expect(offences(files, (line) => isOfPglite(line) && !line.isDynamic)).toEqual([])
})

test('a file imports only the packages that its folder may', () => {
  const mayNot = (line: Import, file: string) =>
    !isOurs(line) && !isData(line) && !mayUse[folderOf(file)]?.includes(packageOf(line.from))
  expect(offences([...inCore, ...parts.filter((file) => folderOf(file) === '')], mayNot)).toEqual([])
})

test('nothing imports an entry point, and only the assembly imports the app', () => {
  const isValue = ({ typeOnly }: Import) => !typeOnly
  expect(offences(files, (line) => isValue(line) && entryPoints.includes(line.from))).toEqual([])
  const users = offences(files, (line) => isValue(line) && line.from === 'app.ts')
  expect(users).toEqual(['serve.ts → app.ts'])
})

test('only the assembly has the list of all tables, which it hands down', () => {
  const users = offences(files, ({ from }) => from === 'table-uses.ts').map(
    (line) => line.split(' ')[0] ?? '',
  )
  expect(users).toContain('main.ts')
  expect(users.filter((file) => folderOf(file) !== '')).toEqual([])
})

test('route files, which are the plugins that the app uses, do not import each other', () => {
  const used = [...(texts.get('app.ts') ?? '').matchAll(/\.use\(\s*(?!routes\(|gate\()(\w+)\(/g)].map(
    ([, name]) => name ?? '',
  )
  const plugins = used.map((name) => {
    const [, path = ''] =
      new RegExp(`\\b${name}\\b[^\\n]* from '\\./([^']+)'`).exec(texts.get('app.ts') ?? '') ?? []
    return path
  })
  const routes = plugins.filter((path) => folderOf(path) === 'web')
  expect(routes).toContain('web/api/announce.ts')
  expect(plugins).not.toContain('')
  expect(offences(routes, ({ from }) => routes.includes(from))).toEqual([])
})

test('only the entry points read the environment, to hand it to the configuration', () => {
  const readers = [...texts].filter(([, text]) => /process\.env|Bun\.env|import\.meta\.env/.test(text))
  for (const [file, text] of readers) {
    expect(entryPoints).toContain(file)
    expect(text.replace('process.env, readConfig(process.env)', '')).not.toMatch(
      /process\.env|Bun\.env|import\.meta\.env/,
    )
  }
  const configured = [...imports].filter(([, lines]) =>
    lines.some(({ from, typeOnly }) => from === 'config.ts' && !typeOnly),
  )
  expect(configured.map(([file]) => file)).toEqual(entryPoints)
})

const impure = /Date\.now|new Date\(\)|performance\.|Math\.random|crypto\.|fetch\(|Bun\.(?!hash)|process\./

test('domain has no clock, no randomness and no I/O', () => {
  const inDomain = files.filter((file) => folderOf(file) === 'domain')
  expect(inDomain.filter((file) => impure.test(texts.get(file) ?? ''))).toEqual([])
})

test('no imports form a circle, not even those of types', () => {
  const done = new Set<string>()
  const circles: string[] = []

  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const { from } of (imports.get(file) ?? []).filter(isOurs)) visit(from, [...path, file])
    done.add(file)
  }

  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('no name is exported by two files of src/', () => {
  const declared = /^export (?:async )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm
  const exported = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(declared)].map(([, name = '']) => ({ name, file })),
  )
  const byName = Map.groupBy(exported, ({ name }) => name)
  const twice = [...byName].filter(([, found]) => found.length > 1)
  expect(twice.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)).toEqual([])
  expect(exported.length).toBeGreaterThan(500)
})

test('no folder has more than 20 files', () => {
  const root = join(import.meta.dir, '..')
  const inFolder = Map.groupBy(new Bun.Glob('{src,test,bench}/**/*').scanSync(root), dirname)
  expect([...inFolder].filter(([, found]) => found.length > 20).map(([folder]) => folder)).toEqual([])
})

test('a file is named by one noun: no name has "and"', () => {
  const root = join(import.meta.dir, '..')
  expect([...new Bun.Glob('{src,test,bench,static}/**/*-and-*').scanSync(root)]).toEqual([])
})

test('only the newest snapshot of the schema is kept, the only one that the next migration is compared with', () => {
  const kept = [...new Bun.Glob('*_snapshot.json').scanSync(join(import.meta.dir, '../drizzle/meta'))]
  const migrations = [...new Bun.Glob('*.sql').scanSync(join(import.meta.dir, '../drizzle'))].toSorted()
  expect(kept).toEqual([(migrations.at(-1) ?? '').replace(/_.*/, '_snapshot.json')])
})

const lengthOf = (file: string) => (texts.get(file) ?? '').trimEnd().split('\n').length

test('no file of src/ has more than 250 lines', () => {
  expect(files.filter((file) => lengthOf(file) > 250)).toEqual([])
})
