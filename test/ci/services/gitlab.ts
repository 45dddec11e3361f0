import { execute, type Outcome, type Run } from '../../support/ci/job.ts'

type Job = {
  readonly rules?: readonly { readonly if: string }[]
  readonly allow_failure?: boolean
  readonly variables?: Readonly<Record<string, string>>
  readonly script: readonly string[]
}

/** GitLab CI: the job runs next to those that deploy, in a pipeline of the default branch. */
export async function gitLab(snippet: string, run: Run): Promise<Outcome> {
  const [job, ...more] = Object.values(Bun.YAML.parse(snippet) as Readonly<Record<string, Job>>)
  if (job === undefined || more.length > 0) throw new Error('The snippet must be exactly one job')
  const { repository, number, attempt = 1, token, environment } = run
  const variables: Readonly<Record<string, string>> = {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_MESSAGE: repository.message,
    CI_COMMIT_REF_NAME: 'main',
    CI_COMMIT_SHA: repository.sha,
    CI_COMMIT_TITLE: repository.message.split('\n')[0] ?? '',
    CI_DEFAULT_BRANCH: 'main',
    CI_JOB_ID: `${number}${attempt}`,
    CI_JOB_NAME: 'announce',
    // A pipeline that is run again has another id.
    CI_PIPELINE_ID: `${number}${attempt}`,
    CI_PROJECT_ID: '7',
    CI_PROJECT_PATH: 'ada/engine',
    CI_PROJECT_URL: 'https://gitlab.example/ada/engine',
    CI_SERVER_URL: 'https://gitlab.example',
    SHIPFEED_TOKEN: token,
    ...environment,
    ...job.variables,
  }
  const value = (name: string) => variables[name.slice(1)] ?? ''
  const isWanted = (rule: string) => {
    const [, left = '', right = ''] = /^(\$\w+) == (\$\w+)$/.exec(rule) ?? []
    return left !== '' && value(left) === value(right)
  }
  if (job.rules !== undefined && !job.rules.some((rule) => isWanted(rule.if))) {
    throw new Error('There is no such job in this pipeline')
  }
  const { exitCode, log } = await execute(['sh', '-e'], {
    cwd: repository.path,
    env: variables,
    script: job.script.join('\n'),
  })
  return { passes: exitCode === 0 || job.allow_failure === true, warning: exitCode === 0 ? null : log, log }
}
