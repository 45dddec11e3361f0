import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { characters, joinedWords, type Shape } from '../support/texts/growth.ts'

export type Expression = {
  readonly where: string
  readonly expression: RegExp
  /** As it is used: to replace, to split, or to look for one place. */
  readonly run: (text: string) => unknown
}

const root = join(import.meta.dir, '../..')

/** Every regular expression of `src` and `static`: literals, and those that are built when a module is loaded. */
export async function allExpressions(): Promise<Expression[]> {
  const found: Expression[] = []
  for (const file of [...new Bun.Glob('{src,static}/**/*.{ts,tsx,js}').scanSync(root)].sort()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    )
    let builds = false
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        const [, pattern = '', flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? []
        const splits = ts.isCallExpression(node.parent) && /\.split$/.test(node.parent.expression.getText())
        found.push(used(`${file}:${line + 1}`, new RegExp(pattern, flags), splits))
      }
      if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
        if (isInFunction(node))
          throw new Error(`${file} builds an expression in a function: no test can find it`)
        builds = true
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    if (builds) found.push(...(await builtBy(file)))
  }
  return found
}

function isInFunction(node: ts.Node): boolean {
  return node.parent !== undefined && (ts.isFunctionLike(node.parent) || isInFunction(node.parent))
}

async function builtBy(file: string): Promise<Expression[]> {
  const built: Expression[] = []
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, args) {
      const expression: RegExp = Reflect.construct(target, args)
      built.push(used(file, expression, false))
      return expression
    },
  })
  try {
    // A query makes it a module of its own, which is loaded now.
    await import(`${join(root, file)}?built`)
  } finally {
    globalThis.RegExp = original
  }
  return built
}

function used(where: string, expression: RegExp, splits: boolean): Expression {
  if (splits) return { where, expression, run: (text) => text.split(expression) }
  if (expression.global) return { where, expression, run: (text) => text.replace(expression, '') }
  return { where, expression, run: (text) => expression.test(text) }
}

/** The texts that an expression may be slow with, made of its own words and of characters that it tells apart. */
export function* shapesFor(expression: RegExp): Generator<Shape> {
  const words = wordsFor(expression)
  const [pairs, triples] = [joinedWords(words, 2), joinedWords(words, 3)]
  const ends = ['', ...words]
  for (const begin of ['', ...words, ...pairs])
    for (const unit of words) for (const end of ends) yield [begin, unit, end]
  for (const begin of ['', ...words])
    for (const unit of pairs) for (const end of ends) yield [begin, unit, end]
  for (const unit of triples) for (const end of ends) yield ['', unit, end]
}

/** A class, an escape or a single character of an expression. */
const atom = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\[(?:\\.|[^\]\\])*\]|\\.|[^\\]/giu

function wordsFor({ source, flags }: RegExp): string[] {
  const plain = source.replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(').replace(/\{\d+(?:,\d*)?\}/g, '')
  const words = plain.match(/[\w '<>"#:/!=&-]{2,}(?![*+?])/g) ?? []
  const rest = words.reduce((text, word) => text.replace(word, '|'), plain)
  const atoms = [...rest.matchAll(atom)]
    .map(([found]) => found)
    .filter((found) => !'()|*+?^$'.includes(found))
  const single = atoms.map((found) => found.replace(/^\\(?=\W)/, '')).filter((found) => found.length === 1)
  const tests = [...atoms, '\\w', '\\n'].map((found) => testOf(found, flags.replace(/[gy]/g, '')))
  // Characters that no part of the expression tells apart are read alike.
  const alike = Map.groupBy([...characters, ...single], (character) =>
    tests.map((test) => test(character)).join(),
  )
  return [...new Set([...[...alike.values()].flatMap(([first]) => first ?? []), ...words])]
}

function testOf(found: string, flags: string): (character: string) => boolean {
  try {
    const expression = new RegExp(`^${found}$`, flags)
    return (character) => expression.test(character)
  } catch {
    return () => false
  }
}
