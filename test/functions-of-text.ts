import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export type Fed = { readonly what: string; readonly work: (text: string) => unknown }

const root = join(import.meta.dir, '../src')

/** The layers whose functions a request reaches with text. The others get it from these. */
const layers = '{domain,badge,card,http,views}/**/*.{ts,tsx}'

const texts = /^(string|unknown|QueryParameters|\{ text: string \})( \| (null|undefined))*$/
/** Parameters that hold a text of ours. */
const ownTexts = ['baseUrl', 'basePath']

/** What is given for further parameters, by their types. */
const others: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  'string | null': (text) => text,
  unknown: (text) => text,
  number: () => 100,
  boolean: () => true,
  Date: () => new Date(0),
  'readonly string[]': (text) => [text],
  '(text: string) => readonly string[]': () => () => [],
  '(word: string) => string | null': () => (word: string) => word,
  '(text: string) => Field<Value>': () => (value: string) => ({ outcome: 'valid', value }),
  '(wrong: string) => string': () => (word: string) => word,
  'KnownState | null': (text) => ({ key: text, place: text }),
  Missing: () => null,
  OwnOrder: (text) => [text],
  Named: (text) => ({ version: text }),
  TextKind: () => 'message',
  FeedFormat: () => 'atom',
  Facet: () => 'environment',
  Weight: () => 400,
  Setting: () => ({ weight: 400, size: 20 }),
  WebhookFormat: () => 'matrix',
  WebhookReach: () => 'public',
  Envelope: (text) => ({ id: text, source: text, type: text }),
  Claims: (text) => ({ [text]: text }),
  ProfileQuery: (text) => ({ target: text, by: { environment: text } }),
  AddressQuery: (text) => ({ q: text }),
  Init: () => ({}),
  Advising: () => null,
  "Pick<Init, 'headers'>": () => ({}),
  '{ readonly now: Date; readonly ownTokens?: readonly string[] }': () => ({ now: new Date(0) }),
}

/** Every exported function of those layers whose first parameter is a text or may hold any. Throws for one that it cannot call. */
export async function functionsOfText(): Promise<Fed[]> {
  const found: Fed[] = []
  for (const file of [...new Bun.Glob(layers).scanSync(root)].sort()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    )
    for (const { name, parameters } of source.statements.filter(isExportedFunction)) {
      const [first, ...further] = parameters.map(({ type }) => type?.getText().replace(/\s+/g, ' ') ?? '')
      if (name === undefined || first === undefined || !texts.test(first)) continue
      if (ownTexts.includes(parameters[0]?.name.getText() ?? '')) continue
      const needed = further.filter((_, n) => isNeeded(parameters[n + 1]))
      const unknown = needed.find((type) => !Object.hasOwn(others, type))
      const what = `${name.text} in ${file}`
      if (unknown !== undefined)
        throw new Error(`No test can call ${what}: it has a parameter of type ${unknown}`)
      const called = ((await import(join(root, file))) as Record<string, (...given: unknown[]) => unknown>)[
        name.text
      ]
      const work = (text: string) =>
        called?.(ofType(first, text), ...needed.map((type) => others[type]?.(text)))
      found.push({ what, work: refusable(work) })
    }
  }
  return found
}

function isExportedFunction(node: ts.Statement): node is ts.FunctionDeclaration {
  const isExported = ({ kind }: ts.ModifierLike) => kind === ts.SyntaxKind.ExportKeyword
  return ts.isFunctionDeclaration(node) && node.modifiers?.some(isExported) === true
}

function isNeeded(parameter: ts.ParameterDeclaration | undefined): boolean {
  return parameter?.initializer === undefined && parameter?.questionToken === undefined
}

const queryParameters = ['q', 'user', 'target', 'category', 'env', 'on', 'year', 'before', 'after', 'limit']

function ofType(type: string, text: string): unknown {
  if (type === 'QueryParameters') return Object.fromEntries(queryParameters.map((name) => [name, text]))
  return type === '{ text: string }' ? { text } : text
}

/** A text may be refused. */
function refusable(work: (text: string) => unknown) {
  return (text: string): void => {
    try {
      work(text)
    } catch {}
  }
}

/** Feeds a text to each text in a value, in place of it and after it. */
export function fedInto<Value>(what: string, value: Value, read: (value: Value) => unknown): Fed[] {
  read(value)
  return leavesOf(value).flatMap((path) => {
    const at = `${what} with ${path.join('.')}`
    const put = (change: (old: string) => string) => read(changed(value, path, change) as Value)
    return [
      { what: at, work: refusable((text) => put(() => text)) },
      { what: `${at} longer`, work: refusable((text) => put((old) => old + text)) },
    ]
  })
}

function leavesOf(value: unknown): string[][] {
  if (typeof value === 'string') return [[]]
  if (typeof value !== 'object' || value === null || value instanceof Date) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner).map((path) => [name, ...path]))
}

function changed(
  value: unknown,
  [name, ...path]: readonly string[],
  change: (old: string) => string,
): unknown {
  if (name === undefined) return change(String(value))
  const inner = (value as Record<string, unknown>)[name]
  const entries = Object.entries({ ...(value as object), [name]: changed(inner, path, change) })
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}
