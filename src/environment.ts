import { readFileSync } from 'node:fs'

/** A wrong setting. The message is one line that names it and says what to set instead. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

/** From 0 to a most. This and the others throw ConfigError. */
export function wholeNumber(env: Environment, name: string, fallback: number, max: number): number {
  const text = env[name] || String(fallback)
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a whole number from 0 to ${max}`)
}

/** From 0, which is the default, to 1. */
export function share(env: Environment, name: string): number {
  const text = env[name] || '0'
  const value = /^\d{0,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (value <= 1) return value
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a share from 0 to 1, such as 0.01`)
}

/** What stands between commas, each as `read` gives it. The advice tells what to list instead of what gave null. */
export function list<Value>(
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

/** From a minute to 14 days, in seconds; null where it is not set. */
export function duration(env: Environment, name: string): number | null {
  const text = env[name]
  if (!text) return null
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf[unit] ?? 0)
  if (seconds >= 60 && seconds <= 14 * 86_400) return seconds
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: set a time from 1m to 14d, such as 24h`)
}

/** One of these words; the first one where it is not set. */
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

/** A setting that nobody else may read: its value, or that of the file which `NAME_FILE` names. */
export function secret(env: Environment, name: string): string {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] ?? ''
  const told = `${name}_FILE is ${JSON.stringify(file)}`
  if (env[name]) throw new ConfigError(`${told}, and ${name} is set too: set one, not both`)
  const text = textIn(file, told).replace(/\r?\n$/, '')
  // Not as if it were not set: an embedded database would then begin empty.
  if (text === '') throw new ConfigError(`${told}, which is empty: write the value of ${name} into it`)
  return text
}

function textIn(file: string, told: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(`${told}, which cannot be read (${code}): name a file that this process may read`)
  }
}
