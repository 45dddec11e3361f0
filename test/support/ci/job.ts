import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../process.ts'

export type Environment = Readonly<Record<string, string>>

/** A repository with one commit, as a CI has checked it out. */
export type Repository = { readonly path: string; readonly sha: string; readonly message: string }

/** A run of a pipeline of that repository: what is different each time. */
export type Run = {
  readonly repository: Repository
  readonly token: string
  /** Each run has its own number, and a run that is started again has another attempt. */
  readonly number: number
  readonly attempt?: number
  /** What else the author of the pipeline has set. */
  readonly environment?: Environment
}

/** What somebody who looks at the run sees. */
export type Outcome = {
  /** Whether the steps after it run. */
  readonly passes: boolean
  /** What this CI shows as a warning, apart from its log. */
  readonly warning: string | null
  readonly log: string
}

/** A stand-in for a CI: runs what a user pastes, as this CI would. */
export type Ci = (snippet: string, run: Run) => Promise<Outcome>

/** Makes a repository with one commit of exactly this message. */
export async function makeRepository(path: string, message: string): Promise<Repository> {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'README.md'), 'Engine\n')
  await git(path, ['init', '--quiet', '--initial-branch', 'main'])
  await git(path, ['add', '.'])
  await git(path, ['commit', '--quiet', '--cleanup', 'verbatim', '--file', '-'], message)
  const sha = (await git(path, ['rev-parse', 'HEAD'])).trim()
  return { path, sha, message }
}

async function git(cwd: string, words: readonly string[], input = ''): Promise<string> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const child = Bun.spawn(['git', ...identity, ...words], { cwd, stdin: new Blob([input]), stdout: 'pipe' })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`git ${words.join(' ')} failed`)
  return output
}

type Script = { readonly cwd: string; readonly env: Environment; readonly script: string }

/** Runs a script in a shell with these variables alone: what it printed, in one log, and how it ended. */
export async function execute(
  shell: readonly string[],
  { cwd, env, script }: Script,
): Promise<{ readonly exitCode: number; readonly log: string }> {
  const home = temporaryDirectory()
  const child = Bun.spawn([...shell, '-c', script], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home.path, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  home.remove()
  return { exitCode, log: output + errors }
}
