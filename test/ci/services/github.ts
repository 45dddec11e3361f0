import { execute, type Outcome, type Run } from '../../support/ci/job.ts'

type Step = {
  readonly run: string
  readonly shell?: string
  readonly env: Readonly<Record<string, string>>
}

/** GitHub Actions: the step is the last one of a job of a push to main. */
export async function gitHub(snippet: string, run: Run): Promise<Outcome> {
  return await runStep(snippet, run, {
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ATTEMPT: String(run.attempt ?? 1),
    RUNNER_OS: 'Linux',
  })
}

/** Forgejo Actions, whose runner sets the variables of GitHub, and its own as well. */
export async function forgejo(snippet: string, run: Run): Promise<Outcome> {
  return await runStep(snippet, run, {
    GITHUB_SERVER_URL: 'https://forgejo.example',
    GITHUB_RUN_ATTEMPT: String(run.attempt ?? 1),
    FORGEJO_ACTIONS: 'true',
    GITEA_ACTIONS: 'true',
  })
}

async function runStep(
  snippet: string,
  { repository, number, token, environment }: Run,
  variables: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const workflow = Bun.YAML.parse(snippet) as readonly Step[]
  const [step, ...more] = workflow
  if (step === undefined || more.length > 0) throw new Error('The snippet must be exactly one step')
  // An expression would put a text into the script itself.
  if (step.run.includes('${{')) throw new Error('There is an expression in "run"')
  const contexts: Readonly<Record<string, string>> = {
    'secrets.SHIPFEED_TOKEN': token,
    'github.event.head_commit.message': repository.message,
  }
  const ofStep = Object.entries(step.env).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => contexts[expression] ?? ''),
  ])
  const { exitCode, log } = await execute(shells[step.shell ?? ''] ?? [], {
    cwd: repository.path,
    env: {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION: '__run',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_JOB: 'deploy',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: 'main',
      GITHUB_REPOSITORY: 'ada/engine',
      GITHUB_RUN_ID: String(number),
      GITHUB_SHA: repository.sha,
      ...variables,
      ...environment,
      ...Object.fromEntries(ofStep),
    },
    script: step.run,
  })
  // Its runner sees a command only at the beginning of a line.
  const [, warning = null] = /^::warning(?: [^:]*)?::(.*)$/m.exec(log) ?? []
  return { passes: exitCode === 0, warning, log }
}

/** How its runner starts a shell; if none is named, only the last command of a pipe decides. */
const shells: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
  '': ['bash', '-e'],
}
