/** The snippets to announce from a pipeline, each with its name. */
export function pipelineSnippets(baseUrl: string): readonly (readonly [name: string, code: string])[] {
  return [
    ['GitHub Actions', gitHubActions(baseUrl)],
    ['GitLab CI', gitLabCi(baseUrl)],
    ['Any CI', anyCi(baseUrl)],
    ['Shell function', shellFunction(baseUrl)],
  ]
}

/**
 * A call that outlasts a restart of ours and the minute of a 429, with options that curl 7.52 knows. A retry
 * is safe, for its key is the same. The status comes last, so that a body of several lines cannot hide it.
 */
const curl =
  'curl -sS -w \' %{http_code}\' --max-time 10 --retry 5 --retry-connrefused --retry-max-time 120 \\\n  -H "Authorization: Bearer $SHIPFEED_TOKEN"'

/**
 * From a commit's message to its title: the first line, or of a merge the line below, which is the title of
 * what was merged; within 4,000 bytes, at the end of a character.
 */
const title = `LC_ALL=C awk '
  { sub(/\\r$/, "") }
  NR == 1 { title = $0; merge = /^Merge / }
  merge && NR > 1 && NF { title = $0; merge = 0 }
  END {
    if (length(title) > 4000) {
      title = substr(title, 1, 4000)
      sub(/[\\300-\\367][\\200-\\277]*$/, "", title)
    }
    print title
  }'`

/** A step of a GitHub Actions job. An expression inside `run` would let a commit's message run commands. */
export function gitHubActions(baseUrl: string): string {
  return `- name: Announce the deployment
  shell: bash
  env:
    SHIPFEED_TOKEN: \${{ secrets.SHIPFEED_TOKEN }}
    MESSAGE: \${{ github.event.head_commit.message || github.ref_name }}
  run: |
    title=$(printf '%s\\n' "$MESSAGE" | ${indented(title, 4)})
    answer=$(${indented(curl, 4)} \\
      -H "Idempotency-Key: $GITHUB_REPOSITORY:$GITHUB_RUN_ID:$GITHUB_RUN_ATTEMPT:$GITHUB_JOB" \\
      --data-urlencode "message=$title" \\
      --data-urlencode "url=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/commit/$GITHUB_SHA" \\
      "${baseUrl}/api") || true
    case $answer in
      *' 201') ;;
      # Add "exit 1" where the job should fail with it.
      *) echo "::warning::The deployment was not announced: $answer" ;;
    esac`
}

/** A job of GitLab CI, after all others. If it fails, the pipeline passes with a warning. */
export function gitLabCi(baseUrl: string): string {
  return `announce:
  stage: .post
  image:
    name: curlimages/curl
    entrypoint: [""]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  # Without this line the pipeline fails where the deployment is not announced.
  allow_failure: true
  variables:
    GIT_STRATEGY: none
  script:
    - |
      title=$(printf '%s\\n' "$CI_COMMIT_MESSAGE" | ${indented(title, 6)})
      answer=$(${indented(curl, 6)} \\
        -H "Idempotency-Key: $CI_PROJECT_ID:$CI_PIPELINE_ID" \\
        --data-urlencode "message=$title" \\
        --data-urlencode "url=$CI_PROJECT_URL/-/commit/$CI_COMMIT_SHA" \\
        "${baseUrl}/api") || true
      case $answer in
        *' 201') ;;
        *) echo "The deployment was not announced: $answer"; exit 1 ;;
      esac`
}

/** For whatever runs a shell: ci/announce.sh knows what several CIs call their commits and runs. */
export function anyCi(baseUrl: string): string {
  return `# SHIPFEED_TOKEN is a secret of the job. SHIPFEED_MESSAGE says something else than the commit's title;
# the beginning of the script lists what else can be set.
${fetchScript(baseUrl)}`
}

/** Runs ci/announce.sh of a server. Where it cannot be fetched, curl says so, and the job goes on. */
export function fetchScript(baseUrl: string): string {
  return `curl -sSf --max-time 10 --retry 9 --retry-connrefused --retry-max-time 120 ${baseUrl}/ci/announce.sh | sh`
}

/** A function for any POSIX shell. Each call is a deployment of its own. */
export function shellFunction(baseUrl: string): string {
  return `# announce [message] [link]; without a message, the title of the last commit
announce() {
  title=$(git log -1 --format=%B 2>/dev/null | ${indented(title, 2)})
  answer=$(${indented(curl, 2)} \\
    -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')" \\
    --data-urlencode "message=\${1:-$title}" \\
    --data-urlencode "url=\${2:-}" \\
    "${baseUrl}/api") || true
  case $answer in
    *' 201') ;;
    # Add "return 1" where the caller should fail with it.
    *) echo "The deployment was not announced: $answer" >&2 ;;
  esac
}`
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}
