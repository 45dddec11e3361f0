import { readFileSync } from 'node:fs'
import { readAddresses } from './database/postgres/addresses.ts'

/** A wrong setting. The message is one line that names it and says what to set instead. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

/** An environment variable, as docs/reference.md lists it. */
export type Variable = {
  /** What it does, in Markdown whose links begin in docs/. */
  readonly says: string
  /** Its value if it is not set. Without one it is off or empty. */
  readonly default?: string | number
  /** The lowest and the highest value, both included. */
  readonly from?: string | number
  readonly to?: string | number
  /** The only values. */
  readonly words?: readonly string[]
}

type Variables = Readonly<Record<string, Variable>>

/** The names of those that have such a rule: `from` for bounds, `words` for a choice. */
type NameWith<Of extends Variables, Rule extends keyof Variable> = {
  [Name in keyof Of]: Rule extends keyof Of[Name] ? Name : never
}[keyof Of] &
  string

/** Reads variables by their rules. Every function throws ConfigError. */
export function settingsIn<Of extends Variables>(env: Environment, variables: Of) {
  return {
    /** Within its bounds. */
    wholeNumber: (name: NameWith<Of, 'from'> & NameWith<Of, 'default'>): number =>
      numberIn(env[name] || String(variables[name]?.default), name),

    /** Null if it is not set. */
    wholeNumberOrNull: (name: NameWith<Of, 'from'>): number | null =>
      env[name] ? numberIn(env[name], name) : null,

    fraction(name: NameWith<Of, 'from'> & NameWith<Of, 'default'>): number {
      const { default: byDefault, from, to }: Variable = variables[name] as Variable
      const text = env[name] || String(byDefault)
      const value = /^\d{0,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
      if (value <= Number(to)) return value
      throw wrong(name, `set a fraction from ${from} to ${to}, such as 0.01`)
    },

    /** In seconds. Null if it is not set. */
    duration(name: NameWith<Of, 'from'>): number | null {
      const text = env[name]
      if (!text) return null
      const { from, to }: Variable = variables[name] as Variable
      const seconds = secondsIn(text)
      if (seconds >= secondsIn(String(from)) && seconds <= secondsIn(String(to))) return seconds
      throw wrong(name, `set a time from ${from} to ${to}, such as 24h`)
    },

    /** One of its words; the default, or else the first, if it is not set. */
    oneOf<Name extends NameWith<Of, 'words'>>(name: Name): NonNullable<Of[Name]['words']>[number] {
      const { words = [], default: byDefault = words[0] }: Variable = variables[name] as Variable
      const word = words.find((one) => one === (env[name] || byDefault))
      if (word !== undefined) return word
      throw wrong(name, `set one of ${words.join(', ')}`)
    },
  }

  function numberIn(text: string, name: NameWith<Of, 'from'>): number {
    const { from, to }: Variable = variables[name] as Variable
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= Number(from) && value <= Number(to)) return value
    throw wrong(name, `set a whole number from ${from} to ${to}`)
  }

  function wrong(name: string, advice: string): ConfigError {
    return new ConfigError(`${name} is ${JSON.stringify(env[name])}: ${advice}`)
  }
}

const secondsOf: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 }

function secondsIn(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  return Number(count) * (secondsOf[unit] ?? 0)
}

/** The entries of a list. `read` gives null for a wrong one, and `advice` says what to list instead. */
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

/** Throws ConfigError for the first of these settings that is set. */
export function onlyForPostgres(env: Environment, names: readonly string[]): void {
  const name = names.find((name) => env[name])
  if (name !== undefined)
    throw new ConfigError(`${name} is for a Postgres of your own: set DATABASE_URL too, or unset ${name}`)
}

/** The address in this setting or in its file, or null. `refused`: values of target_session_attrs. Throws ConfigError. */
export function postgresUrl(env: Environment, name: string, refused: readonly string[] = []): string | null {
  const text = secret(env, name)
  if (text === '') return null
  const read = readAddresses(text)
  if (read.outcome === 'invalid') throw new ConfigError(`${name} ${read.reason}`)
  if (read.addresses.some(({ wanted }) => refused.includes(wanted)))
    throw new ConfigError(`${name} must lead to a server that takes writes: remove its target_session_attrs`)
  return text
}
