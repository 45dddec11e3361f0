import { readFileSync } from 'node:fs'
import { type VariableWith, variables } from './settings.ts'

/** A wrong setting. The message is one line that names it and says what to set instead. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

/** Within the bounds of the setting. All functions here throw ConfigError. */
export function wholeNumber(env: Environment, name: VariableWith<'from'> & VariableWith<'usual'>): number {
  return numberIn(env[name] || String(variables[name].usual), name)
}

/** Null if it is not set. */
export function wholeNumberOrNull(env: Environment, name: VariableWith<'from'>): number | null {
  return env[name] ? numberIn(env[name], name) : null
}

function numberIn(text: string, name: VariableWith<'from'>): number {
  const { from, to } = variables[name]
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= Number(from) && value <= Number(to)) return value
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a whole number from ${from} to ${to}`)
}

export function fraction(env: Environment, name: 'ACCESS_LOG'): number {
  const { usual, from, to } = variables[name]
  const text = env[name] || String(usual)
  const value = /^\d{0,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (value <= to) return value
  throw new ConfigError(
    `${name} is ${JSON.stringify(text)}: set a fraction from ${from} to ${to}, such as 0.01`,
  )
}

/** `read` gives null for a wrong entry, and `advice` says what to list instead. */
export function commaSeparated<Value>(
  env: Environment,
  name: string,
  advice: string,
  read: (entry: string) => Value | null,
): readonly Value[] {
  const entries = (env[name] ?? '').split(',').map((entry) => entry.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const value = read(entry)
      if (value !== null) return value
      throw new ConfigError(`${name} has ${JSON.stringify(entry)}: ${advice}, separated by commas`)
    })
}

const secondsOf: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 }

/** In seconds. Null if it is not set. */
export function duration(env: Environment, name: 'BACKUP_EVERY'): number | null {
  const text = env[name]
  if (!text) return null
  const { from, to } = variables[name]
  const seconds = secondsIn(text)
  if (seconds >= secondsIn(from) && seconds <= secondsIn(to)) return seconds
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a time from ${from} to ${to}, such as 24h`)
}

function secondsIn(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  return Number(count) * (secondsOf[unit] ?? 0)
}

/** In lower case. Null if it is not set. */
export function headerName(env: Environment, name: string): string | null {
  const text = env[name] ?? ''
  if (/^[A-Za-z0-9-]*$/.test(text)) return text.toLowerCase() || null
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set the name of a header, such as Remote-User`)
}

type Choice = VariableWith<'words'>
type WordOf<Name extends Choice> = (typeof variables)[Name]['words'][number]

/** One of the words of the setting. */
export function oneOf<Name extends Choice>(env: Environment, name: Name): WordOf<Name> {
  const { usual, words }: { usual?: string; words: readonly WordOf<Name>[] } = variables[name]
  const text = env[name] || (usual ?? words[0])
  const word = words.find((one) => one === text)
  if (word !== undefined) return word
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set one of ${words.join(', ')}`)
}

/** The value of the setting, or the content of the file named by `NAME_FILE`. Empty if neither is set. */
export function secret(env: Environment, name: string): string {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] ?? ''
  const given = `${name}_FILE is ${JSON.stringify(file)}`
  if (env[name]) throw new ConfigError(`${given}, and ${name} is set too: set one, not both`)
  const text = textIn(file, given).replace(/\r?\n$/, '')
  // Not treated as unset: the service would then start on an empty database in DATA_DIR.
  if (text === '') throw new ConfigError(`${given}, which is empty: write the value of ${name} into it`)
  return text
}

function textIn(file: string, given: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(`${given}, which cannot be read (${code}): name a file that this process may read`)
  }
}
