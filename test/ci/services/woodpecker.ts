import { execute, type Outcome, type Run } from '../../support/ci/job.ts'
import { temporaryDirectory } from '../../support/process.ts'

type Step = {
  readonly commands: readonly string[]
  readonly environment: Readonly<Record<string, string | { readonly from_secret: string }>>
  readonly failure?: 'ignore'
}

/** Woodpecker: the step is the last one of a workflow of a push. */
export async function woodpecker(snippet: string, run: Run): Promise<Outcome> {
  const { repository, number, attempt = 1, token, environment } = run
  // Before it is parsed, whatever looks like a variable in braces is filled in, by nothing if it is unknown.
  const [step, ...more] = Bun.YAML.parse(snippet.replace(/(?<!\$)\$\{.*?\}/g, '')) as readonly Step[]
  if (step === undefined || more.length > 0) throw new Error('The snippet must be exactly one step')
  // Each step is a container with a folder for temporary files of its own.
  const container = temporaryDirectory()
  const commands = step.commands.map((command) => command.replaceAll('/tmp/', `${container.path}/`))
  const secrets: Readonly<Record<string, string>> = { shipfeed_token: token }
  const ofStep = Object.entries(step.environment).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : (secrets[value.from_secret] ?? ''),
  ])
  const { exitCode, log } = await execute(['sh', '-e'], {
    cwd: repository.path,
    env: {
      CI: 'woodpecker',
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_MESSAGE: repository.message,
      CI_COMMIT_SHA: repository.sha,
      CI_PIPELINE_EVENT: 'push',
      CI_PIPELINE_FORGE_URL: `https://codeberg.example/ada/engine/commit/${repository.sha}`,
      // A run that is repeated is another pipeline.
      CI_PIPELINE_NUMBER: `${number}${attempt}`,
      CI_REPO: 'ada/engine',
      CI_STEP_NAME: 'announce',
      CI_WORKFLOW_NAME: 'deploy',
      ...environment,
      ...Object.fromEntries(ofStep),
    },
    // Each command is shown before it is run.
    script: commands.flatMap((command) => [`echo ${quoted(`+ ${command}`)}`, command]).join('\n'),
  })
  container.remove()
  return { passes: exitCode === 0 || step.failure === 'ignore', warning: exitCode === 0 ? null : log, log }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
