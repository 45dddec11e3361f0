import { execute, type Outcome, type Run } from '../../support/ci/job.ts'

/** Somebody's own script in a checkout, which ends with the first command that fails. */
export async function shell(snippet: string, run: Run): Promise<Outcome> {
  const { repository, token, environment } = run
  const { exitCode, log } = await execute(['sh', '-e'], {
    cwd: repository.path,
    env: { SHIPFEED_TOKEN: token, ...environment },
    script: snippet,
  })
  const [warning = null] = /^(?:The deployment was not announced|curl: ).*$/m.exec(log) ?? []
  return { passes: exitCode === 0, warning, log }
}
