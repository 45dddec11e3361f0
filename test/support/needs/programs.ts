/** Where Debian puts the sources of its packages of Go. */
export const goPath = '/usr/share/gocode'

/** Where a program of the machine is, or null. Those of administrators are not in everybody's path. */
export function programOf(name: string): string | null {
  const PATH = `${process.env.PATH}:/usr/sbin`
  const names = name === 'chromium' ? chromium : [name]
  return names.map((name) => Bun.which(name, { PATH })).find((path) => path !== null) ?? null
}

/** The headless shell has Chromium's engine without its windows, of which each context would cost a second of a core. */
const chromium = [process.env.CHROMIUM_PATH ?? ['chromium-headless-shell', 'chromium']].flat()
