import { describe, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { installedPostgres } from '../postgres/programs.ts'
import { goPath, programOf } from './programs.ts'

/** What tests need that is no program of that name; a package is named as Debian names it. */
const others: Readonly<Record<string, () => boolean>> = {
  'golang-github-antonmedv-expr-dev': () => existsSync(`${goPath}/src/github.com/antonmedv/expr`),
  'golang-github-masterminds-sprig-dev': () => existsSync(`${goPath}/src/github.com/Masterminds/sprig`),
  postgresql: () => installedPostgres() !== null,
  root: () => process.getuid?.() === 0,
}

/** What of `test` and of `describe` a test that is left out has as well. */
type Registering<Of extends typeof test | typeof describe> = {
  (...words: Parameters<Of>): void
  readonly each: Of['each']
  skipIf(condition: boolean): Registering<Of>
}

type Needing = { readonly test: Registering<typeof test>; readonly describe: Registering<typeof describe> }

/** `test` and `describe` for what needs these programs: where one is missing, they skip it, and its name says why. */
export function needing(...needs: readonly string[]): Needing {
  const missing = needs.filter((need) => !(others[need]?.() ?? programOf(need) !== null))
  if (missing.length === 0) return { test, describe }
  const why = ` (needs ${missing.join(', ')})`
  return { test: skipping(test, why), describe: skipping(describe, why) }
}

/** A test for each of these commands, which is left out where its program, or another one, is missing. */
export function testEach(commands: readonly string[], ...needs: readonly string[]) {
  return (name: string, body: (command: string) => Promise<void>): void => {
    for (const command of commands) {
      needing(...needs, programIn(command)).test(name.replace('%s', command), () => body(command))
    }
  }
}

/** In `env LC_ALL=C yash -s` it is yash. */
function programIn(command: string): string {
  return command.split(' ').find((word) => word !== 'env' && !word.includes('=')) ?? command
}

type Register = (name: string, ...rest: unknown[]) => void

/** Skips what it is given, under a name that says why. */
function skipping<Of extends typeof test | typeof describe>(of: Of, why: string): Registering<Of> {
  const { skip } = of as unknown as { skip: Register & { each(rows: readonly unknown[]): Register } }
  const named =
    (register: Register): Register =>
    (name, ...rest) =>
      register(name + why, ...rest)
  const each = (rows: readonly unknown[]) => named(skip.each(rows))
  const skipped = Object.assign(named(skip), { each, skipIf: () => skipped })
  return skipped as unknown as Registering<Of>
}
