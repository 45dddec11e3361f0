import { readFileSync } from 'node:fs'

/** A wrong setting. The message is one line that names it and says what to set instead. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

/** Within these bounds, both included. All functions here throw ConfigError. */
export function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  [least, most]: readonly [least: number, most: number],
): number {
  const text = env[name] || String(fallback)
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a whole number from ${least} to ${most}`)
}

/** A fraction from 0, the default, to 1. */
export function fraction(env: Environment, name: string): number {
  const text = env[name] || '0'
  const value = /^\d{0,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (value <= 1) return value
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a fraction from 0 to 1, such as 0.01`)
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

/** A duration from a minute to 14 days, in seconds. Null if it is not set. */
export function duration(env: Environment, name: string): number | null {
  const text = env[name]
  if (!text) return null
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf[unit] ?? 0)
  if (seconds >= 60 && seconds <= 14 * 86_400) return seconds
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a time from 1m to 14d, such as 24h`)
}

/** In lower case. Null if it is not set. */
export function headerName(env: Environment, name: string): string | null {
  const text = env[name] ?? ''
  if (/^[A-Za-z0-9-]*$/.test(text)) return text.toLowerCase() || null
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set the name of a header, such as Remote-User`)
}

/** One of these words; the first one if the setting is not set. */
export function oneOf<Word extends string>(
  env: Environment,
  name: string,
  allowed: readonly [Word, ...Word[]],
): Word {
  const text = env[name] || allowed[0]
  const word = allowed.find((one) => one === text)
  if (word !== undefined) return word
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set one of ${allowed.join(', ')}`)
}

export function isOn(env: Environment, name: string): boolean {
  return oneOf(env, name, ['off', 'on']) === 'on'
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
