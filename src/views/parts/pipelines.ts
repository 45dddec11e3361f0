import { argoCd, flux } from './deployers.ts'

/** The snippets that announce from whatever deploys, each with its name. */
export function pipelineSnippets(baseUrl: string): readonly (readonly [name: string, code: string])[] {
  return [
    ['GitHub', gitHub(baseUrl)],
    ['GitLab', gitLab(baseUrl)],
    ['Forgejo', forgejo(baseUrl)],
    ['Woodpecker', woodpecker(baseUrl)],
    ['Jenkins', jenkins(baseUrl)],
    ['Argo CD', argoCd(baseUrl)],
    ['Flux', flux(baseUrl)],
    ['Shell', shell(baseUrl)],
  ]
}

/** Fetches ci/announce.sh: it outlasts a restart of the server, with options that curl 7.55 knows. */
export const curl = 'curl -sSf --max-time 10 --retry 9 --retry-connrefused --retry-max-time 120'

/** A step of a GitHub Actions job. */
export function gitHub(baseUrl: string): string {
  return `# The last step of the job that deploys. The secret: Settings, Secrets and variables, Actions.
${step(baseUrl)}`
}

/** A step of a Forgejo Actions job, or of one of Gitea. */
export function forgejo(baseUrl: string): string {
  return `# The last step of the job that deploys (runs-on: docker). The secret: Settings, Actions, Secrets.
${step(baseUrl)}`
}

/**
 * "shell: bash" has Windows runners use a shell that reads this, and a script that cannot be fetched fail the
 * pipe. An expression stands in "env", since in "run" it would let a commit's message run commands.
 */
export function step(baseUrl: string, credential = `SHIPFEED_TOKEN: \${{ secrets.SHIPFEED_TOKEN }}`): string {
  return `- run: ${curl} ${baseUrl}/ci/announce.sh | sh || ${orElse('echo "::warning::The deployment was not announced"')}
  shell: bash
  env:
    ${credential}
    SHIPFEED_COMMIT_MESSAGE: \${{ github.event.head_commit.message }}`
}

/**
 * A job of GitLab CI, which fails and may: the pipeline passes with a warning. Not "include: remote", because
 * GitLab refuses whole pipelines for as long as it cannot fetch what they include.
 */
export function gitLab(baseUrl: string): string {
  return `# The variable SHIPFEED_TOKEN: Settings, CI/CD, Variables, masked.
announce:
  stage: .post
  image: { name: curlimages/curl, entrypoint: [''] }
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  allow_failure: true
  script:
    - ${curl} -o .shipfeed.sh ${baseUrl}/ci/announce.sh
    - SHIPFEED_FAIL=true sh .shipfeed.sh`
}

/** A step of a Woodpecker workflow, which fails and may. Its user may write nowhere but in /tmp. */
export function woodpecker(baseUrl: string): string {
  return `# The last of the steps. The secret: Settings, Secrets.
- name: announce
  image: curlimages/curl
  environment: { SHIPFEED_FAIL: 'true', SHIPFEED_TOKEN: { from_secret: shipfeed_token } }
  failure: ignore
  commands:
    - ${curl} -o /tmp/shipfeed.sh ${baseUrl}/ci/announce.sh
    - sh /tmp/shipfeed.sh`
}

/**
 * A step of a Jenkins pipeline: where it fails, the stage is unstable and the build goes on. Jenkins tells a
 * job no message, so the script reads the checkout's last commit.
 */
export function jenkins(baseUrl: string): string {
  return `// The last step of the stage that deploys. The credential: Manage Jenkins, Credentials, Secret text.
catchError(buildResult: 'SUCCESS', stageResult: 'UNSTABLE', message: 'The deployment was not announced') {
  withCredentials([string(credentialsId: 'shipfeed-token', variable: 'SHIPFEED_TOKEN')]) {
    sh '${curl} -o .shipfeed.sh ${baseUrl}/ci/announce.sh && SHIPFEED_FAIL=true sh .shipfeed.sh'
  }
}`
}

/** For any POSIX shell, which may not look at the beginning of a pipe. Each call is a deployment of its own. */
export function shell(baseUrl: string): string {
  return `# SHIPFEED_TOKEN is in the environment. SHIPFEED_MESSAGE says something else than the title of the last commit;
# the beginning of the script lists what else can be said.
script=$(${curl} ${baseUrl}/ci/announce.sh) && sh -c "$script" || ${orElse('echo "The deployment was not announced" >&2')}`
}

/** What is done where even the script could not be fetched: it tells, and fails if that is asked for. */
function orElse(tell: string): string {
  return `{ ${tell}; [ "$SHIPFEED_FAIL" != true ]; }`
}
