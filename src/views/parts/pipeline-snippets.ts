import type { IssuerKind } from '../../domain/issuer.ts'
import type { Site } from '../page/site.ts'

type Snippets = readonly (readonly [name: string, code: string])[]

/** Fetches ci/announce.sh where a person may wait for it. */
const quick = 'curl -sSf --max-time 10'
const patient = '--retry 9 --retry-connrefused --retry-max-time 120'
/** The same for jobs, where nobody waits. It retries through a restart of the server, with options that curl 7.55 knows. */
const curl = `${quick} ${patient}`
/** What a shell does if the script could not be fetched: it prints a message, and fails if that is requested. */
const orElse = `{ echo "The deployment was not announced" >&2; [ "\${SHIPFEED_FAIL:-}" != true ]; }`

/**
 * Announces from any POSIX shell. It ends well whatever happens, also with `set -e` and `pipefail`, and has no
 * character that a Makefile, a unit of systemd or a template would read as its own.
 */
export function announcingLine(baseUrl: string): string {
  return `${quick} ${baseUrl}/ci/announce.sh | sh || true`
}

/** The snippets of the core and of capabilities. The last one is for everything else. */
export function pipelineSnippets({ baseUrl, slots }: Pick<Site, 'baseUrl' | 'slots'>): Snippets {
  return Object.entries({
    GitHub: `# The last step of the job that deploys. Add the secret SHIPFEED_TOKEN in Settings > Secrets and variables > Actions.
${step(baseUrl)}`,
    // Not "include: remote", because GitLab refuses whole pipelines that it cannot include.
    GitLab: `# Add SHIPFEED_TOKEN in Settings > CI/CD > Variables, masked.
${gitLabJob(baseUrl)}`,
    // Also for Gitea.
    Forgejo: `# The last step of the job that deploys (runs-on: docker). Add the secret SHIPFEED_TOKEN in Settings > Actions > Secrets.
${step(baseUrl)}`,
    // Its user may write only to /tmp.
    Woodpecker: `# The last of the steps. Add the secret shipfeed_token in Settings > Secrets.
- name: announce
  image: curlimages/curl
  environment: { SHIPFEED_FAIL: 'true', SHIPFEED_TOKEN: { from_secret: shipfeed_token } }
  failure: ignore
  commands:
    - ${curl} -o /tmp/shipfeed.sh ${baseUrl}/ci/announce.sh
    - sh /tmp/shipfeed.sh`,
    // It gives a job no commit message, so the script reads the last commit of the checkout.
    Jenkins: `// The last step of the stage that deploys. Add the credential shipfeed-token, a secret text, in Manage Jenkins > Credentials.
catchError(buildResult: 'SUCCESS', stageResult: 'UNSTABLE', message: 'The deployment was not announced') {
  withCredentials([string(credentialsId: 'shipfeed-token', variable: 'SHIPFEED_TOKEN')]) {
    sh '${curl} -o .shipfeed.sh ${baseUrl}/ci/announce.sh && SHIPFEED_FAIL=true sh .shipfeed.sh'
  }
}`,
    ...Object.fromEntries(Object.entries(slots.pipelines).map(([name, of]) => [name, of(baseUrl)])),
    Shell: `# SHIPFEED_TOKEN is in the environment. The message is the title of the last commit, unless SHIPFEED_MESSAGE is set;
# the top of the script lists all settings.
${announcingLine(baseUrl)}`,
  })
}

/**
 * "shell: bash" makes Windows runners use a shell that can run this, and makes the step fail if the script cannot
 * be fetched. Expressions are in "env", because in "run" a commit message could run commands.
 */
function step(baseUrl: string, credential = `SHIPFEED_TOKEN: \${{ secrets.SHIPFEED_TOKEN }}`): string {
  return `- run: |
    ${quick} \\
      ${patient} \\
      ${baseUrl}/ci/announce.sh | sh || {
        echo "::warning::The deployment was not announced"
        [ "$SHIPFEED_FAIL" != true ]
      }
  shell: bash
  env:
    ${credential}
    SHIPFEED_COMMIT_MESSAGE: \${{ github.event.head_commit.message }}`
}

function gitLabJob(baseUrl: string, { credential = '', user = '' } = {}): string {
  return `announce:
  stage: .post
  image: { name: curlimages/curl, entrypoint: [''] }
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  allow_failure: true${credential}
  script:
    - ${curl} -o .shipfeed.sh ${baseUrl}/ci/announce.sh
    - SHIPFEED_FAIL=true${user} sh .shipfeed.sh`
}

/** For a shell that runs the script only if it has this SHA-256, and so never a later version of it. */
export function pinned(baseUrl: string, sha256: string): string {
  return `${quick} -o .shipfeed.sh ${baseUrl}/ci/announce.sh &&
  echo "${sha256}  .shipfeed.sh" | sha256sum -c - &&
  sh .shipfeed.sh || ${orElse}`
}

/** The snippets that announce without a secret, each with its name, for issuers of these kinds. */
export function secretlessSnippets(
  { baseUrl, audience, username }: { baseUrl: string; audience: string; username: string },
  kinds: readonly IssuerKind[] = ['github', 'gitlab'],
): Snippets {
  const user = `SHIPFEED_USER: ${username}`
  const snippets = {
    GitHub: `# The last step of the job that deploys, which also has
# permissions: { contents: read, id-token: write }
${step(baseUrl, audience === baseUrl ? user : `${user}\n    SHIPFEED_AUDIENCE: ${JSON.stringify(audience)}`)}`,
    GitLab: gitLabJob(baseUrl, {
      credential: `\n  id_tokens: { SHIPFEED_ID_TOKEN: { aud: ${JSON.stringify(audience)} } }`,
      user: ` SHIPFEED_USER=${username}`,
    }),
    // The ids behind the names of the organization and the pipeline must be asked for.
    Buildkite: `# The last step of the pipeline that deploys.
- label: announce
  soft_fail: true
  command: |
    export SHIPFEED_ID_TOKEN="$$(buildkite-agent oidc request-token --audience ${audience} --claim organization_id --claim pipeline_id)"
    ${curl} -o .shipfeed.sh ${baseUrl}/ci/announce.sh
    SHIPFEED_FAIL=true SHIPFEED_USER=${username} sh .shipfeed.sh`,
    CircleCI: `# The last step of the job that deploys.
- run:
    name: announce
    command: |
      export SHIPFEED_ID_TOKEN="$(circleci run oidc get --claims '{"aud": ${JSON.stringify(audience)}}')"
      ${curl} ${baseUrl}/ci/announce.sh | SHIPFEED_USER=${username} sh || ${orElse}`,
  }
  // The name of a kind is that of its service in lower case.
  return Object.entries(snippets).filter(([name]) => kinds.some((kind) => kind === name.toLowerCase()))
}

export type ExampleFields = Readonly<Record<string, string>>

/** Right for everybody who copies it: a link would be to somebody else's project. */
const example = { message: '✨ Saved searches', project: 'engine', environment: 'production' }

export function curlWithForm(baseUrl: string, fields: ExampleFields = example): string {
  const lines = Object.entries(fields).map(([name, value]) => `  --data-urlencode "${name}=${value}"`)
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
${lines.join(' \\\n')}`
}

export function curlWithJson(baseUrl: string): string {
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(example)}'`
}
