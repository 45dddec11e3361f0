import { codeOf } from './database/errors.ts'
import { ConfigError } from './settings-reader.ts'

/** Listens, or throws a ConfigError that names the setting of the port. */
export function bind<Result>(
  setting: 'PORT' | 'METRICS_PORT',
  { host, port }: { readonly host: string; readonly port: number },
  listen: () => Result,
  isShared = false,
): Result {
  try {
    return listen()
  } catch (error) {
    const code = codeOf(error)
    const others = isShared ? ', or start it with REUSE_PORT=on and as the same user' : ''
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use. Stop what uses it${others}, or set ${setting}.`
        : `cannot listen on ${setting} ${port} of ${setting.replace('PORT', 'HOST')} ${host} (${code ?? error}): set another`,
    )
  }
}
