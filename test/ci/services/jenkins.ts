import { execute, type Outcome, type Run } from '../../support/ci/job.ts'

/** The steps of the snippet, as Groovy reads them: a string in single quotes has no variables. */
const steps = new RegExp(
  [
    String.raw`^(?://[^\n]*\n)*catchError\(buildResult: 'SUCCESS', stageResult: 'UNSTABLE', message: '([^']+)'\) \{`,
    String.raw`\s*withCredentials\(\[string\(credentialsId: '([^']+)', variable: '([^']+)'\)\]\) \{`,
    String.raw`\s*sh '((?:[^'\\]|\\.)*)'\s*\}\s*\}$`,
  ].join(''),
)

/** Jenkins: the steps stand in a stage of a pipeline that has checked the repository out. */
export async function jenkins(snippet: string, run: Run): Promise<Outcome> {
  const [, message = '', credential, variable = '', script = ''] = steps.exec(snippet) ?? []
  if (credential !== 'shipfeed-token') throw new Error('The snippet uses an unknown credential')
  const { repository, number, attempt = 1, token, environment } = run
  // A run that is repeated is another build.
  const build = `${number}${attempt}`
  const { exitCode, log } = await execute(['sh', '-xe'], {
    cwd: repository.path,
    env: {
      BUILD_ID: build,
      BUILD_NUMBER: build,
      BUILD_TAG: `jenkins-engine-${build}`,
      BUILD_URL: `https://jenkins.example/job/engine/${build}/`,
      GIT_COMMIT: repository.sha,
      GIT_URL: 'git@git.example:ada/engine.git',
      JENKINS_URL: 'https://jenkins.example/',
      JOB_NAME: 'engine',
      WORKSPACE: repository.path,
      ...environment,
      [variable]: token,
    },
    script: script.replaceAll(/\\(.)/g, '$1'),
  })
  return { passes: true, warning: exitCode === 0 ? null : `${message}\n${log}`, log }
}
