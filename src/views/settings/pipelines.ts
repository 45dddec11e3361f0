/**
 * What every pipeline wants: the answer's reason in its log, an end within a minute, and a retry that
 * is safe because its key is the same. The message travels in a variable: a shell never reads it as code.
 */
const curl = 'curl -sS --fail-with-body --max-time 10 --retry 2 --retry-connrefused --retry-max-time 30'

/** A step of a GitHub Actions job. An expression inside `run` would let a commit's message run commands. */
export function gitHubActions(baseUrl: string): string {
  return `- name: Announce the deployment
  env:
    SHIPFEED_TOKEN: \${{ secrets.SHIPFEED_TOKEN }}
    MESSAGE: \${{ github.event.head_commit.message || github.ref_name }}
  run: |
    ${curl} \\
      "${baseUrl}/api" \\
      -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
      -H "Idempotency-Key: $GITHUB_REPOSITORY:$GITHUB_RUN_ID:$GITHUB_JOB" \\
      --data-urlencode "message=$(printf '%s\\n' "$MESSAGE" | head -n 1)" \\
      --data-urlencode "url=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/commit/$GITHUB_SHA" ||
      echo "::warning::The deployment was not announced"`
}

/** A job of GitLab CI, after all others. */
export function gitLabCi(baseUrl: string): string {
  return `announce:
  stage: .post
  image:
    name: curlimages/curl
    entrypoint: [""]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  allow_failure: true
  variables:
    GIT_STRATEGY: none
  script:
    - |
      ${curl} \\
        "${baseUrl}/api" \\
        -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
        -H "Idempotency-Key: $CI_PROJECT_ID:$CI_PIPELINE_ID" \\
        --data-urlencode "message=$CI_COMMIT_TITLE" \\
        --data-urlencode "url=$CI_PROJECT_URL/-/commit/$CI_COMMIT_SHA" ||
        echo "The deployment was not announced"`
}

/** A function for any POSIX shell. Each call of it is a deployment of its own. */
export function shellFunction(baseUrl: string): string {
  return `# announce [message] [link]; without a message, the subject of the last commit
announce() {
  ${curl} \\
    "${baseUrl}/api" \\
    -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
    -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')" \\
    --data-urlencode "message=\${1:-$(git log -1 --format=%s)}" \\
    --data-urlencode "url=\${2:-}" ||
    echo "The deployment was not announced" >&2
}`
}
