import { test } from 'bun:test'
import type { Environment } from './job.ts'

type Place = {
  readonly cwd: string
  readonly env: Environment
  readonly shell?: string
  readonly words?: readonly string[]
}

/** Starts a text as the end of `curl … | sh` does, from standard input, with these variables alone, in a group of its own. */
export function startScript(text: string, { cwd, env, shell = 'dash', words = [] }: Place) {
  return Bun.spawn([...shell.split(' '), '-s', ...(words.length > 0 ? ['--', ...words] : [])], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdin: new Blob([text]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs a text as `startScript` starts it. */
export async function runScript(text: string, place: Place) {
  const child = startScript(text, place)
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output, errors }
}

/** The shells in which pipelines run the script. Yash reads variables in its locale, and would drop an emoji. */
export const shells = [
  ...['dash', 'bash', 'bash --posix', 'busybox sh'],
  ...['ksh', 'mksh', 'env LC_ALL=C.UTF-8 yash', 'zsh'],
]

/** A test for each shell, which stands in its name as `%s`; it is skipped where that shell is not installed. */
export function testInShells(name: string, body: (shell: string) => Promise<void>): void {
  for (const shell of shells) {
    const program = shell.split(' ').find((word) => word !== 'env' && !word.includes('=')) ?? shell
    const isMissing = Bun.which(program) === null
    test.skipIf(isMissing)(`${name.replace('%s', shell)}${isMissing ? ` (needs ${program})` : ''}`, () =>
      body(shell),
    )
  }
}
