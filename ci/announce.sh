#!/bin/sh
# Announces a deployment to a Shipfeed server from any pipeline, with a POSIX shell and curl 7.55 or newer.
#
#   SHIPFEED_TOKEN           the token, from the secrets of the pipeline
#   SHIPFEED_USER            in place of a token: the username that trusts this pipeline as a publisher
#   SHIPFEED_ID_TOKEN        the identity token of this job (GitLab: id_tokens); on GitHub the script requests it
#   SHIPFEED_AUDIENCE        the audience of that token; default: the address of the server
#   SHIPFEED_URL             the server; filled in if this file comes from a server
#   SHIPFEED_MESSAGE         the whole text of the announcement
#   SHIPFEED_COMMIT_MESSAGE  used without SHIPFEED_MESSAGE: its title is announced; default: the commit's message
#   SHIPFEED_LINK            the link; default: the commit of the run or of the checkout, otherwise the run
#   SHIPFEED_CATEGORY        feature, bug_fix, performance_improvement or styling_change; default: read from the message
#   SHIPFEED_ENVIRONMENT     the environment, such as production; default: the one that the CI deploys to, if it says so
#   SHIPFEED_VERSION         the version, such as v2.4.0; default: the tag that is being built
#   SHIPFEED_COMMIT          the commit; default: that of the run or of the checkout
#   SHIPFEED_KEY             one key announces once; default: made from the run
#   SHIPFEED_FAIL            "true": exit with 1 if nothing was announced; default: only warn
#
# Everything is in functions, so that an incomplete download does nothing.

main() {
  # The status is in $code, because $status has a special meaning in zsh.
  set -eu
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  server=${SHIPFEED_URL:-@SHIPFEED_URL@}
  case $server in
    http://* | https://*) ;;
    *) not_announced 'SHIPFEED_URL is not the address of a server' ;;
  esac
  server=${server%/}
  token=${SHIPFEED_TOKEN:-}
  if [ -z "$token" ] && [ -n "${SHIPFEED_USER:-}" ]; then
    exchange
    # 422: the identity token was used already, because an answer was lost. GitHub issues another one.
    if [ "$code" = 422 ] && [ -z "${SHIPFEED_ID_TOKEN:-}" ]; then exchange; fi
    token=$(sed -n 's/.*"token" *: *"\(ship_[A-Za-z0-9]*\)".*/\1/p' "$folder/answer" 2> /dev/null) || true
    if [ -z "$token" ]; then not_announced "$(said)"; fi
  fi
  case $token in
    '') not_announced 'SHIPFEED_TOKEN is not set. Add it to the secrets, and pass it to this job, or set SHIPFEED_USER' ;;
    *[!A-Za-z0-9_]*) not_announced 'SHIPFEED_TOKEN is not a token: it contains characters that no token has' ;;
  esac
  read_run
  message > "$folder/message"
  printf %s "${SHIPFEED_LINK:-$(link)}" > "$folder/link"
  printf %s "${SHIPFEED_CATEGORY:-}" > "$folder/category"
  printf %s "${SHIPFEED_ENVIRONMENT:-$(environment)}" > "$folder/environment"
  printf %s "${SHIPFEED_VERSION:-$(version)}" > "$folder/version"
  printf %s "${SHIPFEED_COMMIT:-$(commit)}" > "$folder/commit"

  # Other users may see a command line, so the token goes through standard input and the rest through files.
  # A call takes at most 10 s and is retried for two minutes: longer than a restart of the server or a 429 takes.
  code=$(bearer "$token" |
    patient_curl -K - -D "$folder/headers" \
      -H "Idempotency-Key: $(key)" \
      --data-urlencode "message@$folder/message" \
      --data-urlencode "url@$folder/link" \
      --data-urlencode "category@$folder/category" \
      --data-urlencode "environment@$folder/environment" \
      --data-urlencode "version@$folder/version" \
      --data-urlencode "commit@$folder/commit" \
      "$server/api" 2> "$folder/errors") || true
  announcement=$(said)
  if [ -z "${SHIPFEED_TOKEN:-}" ]; then
    bearer "$token" | curl -q -K - -sS -o /dev/null --max-time 10 -X DELETE "$server/api/oidc" 2> /dev/null || true
  fi
  if [ "$code" = 201 ]; then
    announced
  else
    not_announced "$announcement"
  fi
}

bearer() {
  printf 'header = "Authorization: Bearer %s"\n' "$1"
}

# Prints the status; the answer and the errors go to files. The previous answer is removed, as it may hold a secret.
patient_curl() {
  rm -f "$folder/answer"
  curl -q -sS -o "$folder/answer" -w '%{http_code}' \
    --max-time 10 --retry 9 --retry-connrefused --retry-max-time 120 "$@"
}

# The result of the last call, on one line.
said() {
  echo "$(cat "$folder/answer" "$folder/errors" 2> /dev/null | one_line) ($code)"
}

# Exchanges the identity token of this job for a token of 15 minutes.
exchange() {
  id_token
  printf %s "$SHIPFEED_USER" > "$folder/user"
  code=$(patient_curl --data-urlencode "jwt@$folder/jwt" --data-urlencode "user@$folder/user" \
    "$server/api/oidc" 2> "$folder/errors") || true
}

id_token() {
  if [ -n "${SHIPFEED_ID_TOKEN:-}" ]; then
    printf %s "$SHIPFEED_ID_TOKEN" > "$folder/jwt"
  elif [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ]; then
    code=$(bearer "${ACTIONS_ID_TOKEN_REQUEST_TOKEN:-}" |
      patient_curl -K - "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${SHIPFEED_AUDIENCE:-$server}" 2> "$folder/errors") || true
    sed -n 's/.*"value" *: *"\([A-Za-z0-9._-]*\)".*/\1/p' "$folder/answer" 2> /dev/null | tr -d '\n' > "$folder/jwt" || true
    if [ ! -s "$folder/jwt" ]; then not_announced "GitHub gave this job no identity token ($code)"; fi
  elif [ -n "${GITHUB_ACTIONS:-}" ]; then
    not_announced 'this job may not request an identity token. Add "permissions: id-token: write" to it'
  else
    not_announced 'SHIPFEED_ID_TOKEN is not set. Pass an identity token to this job (on GitLab by id_tokens)'
  fi
}

announced() {
  expiry=$(sed -n 's/^[Ss]hipfeed-[Tt]oken-[Ee]xpires: *"\([0-9TZ:-]*\)";days=\([0-9]\{1,5\}\).*/\2 \1/p' "$folder/headers" | one_line)
  if [ -n "$expiry" ] && [ "${expiry%% *}" -le 14 ]; then
    warn "The token ends in ${expiry%% *} days, at ${expiry#* }. Give this pipeline a new token from $server/settings/tokens"
  fi
  page=$(sed -n 's/^[Ll]ocation: *//p' "$folder/headers" | one_line)
  # A server's answer could contain a command for the runner, so only an address of that server is shown.
  case $page in
    *[!A-Za-z0-9:/._-]*) page= ;;
    "$server"/*) ;;
    *) page= ;;
  esac
  echo "Announced${page:+: $page}"
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf 'page=%s\nid=%s\n' "$page" "${page##*/}" >> "$GITHUB_OUTPUT"
  fi
}

warn() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    # The runner shows this command as a warning, and reads % as an escape.
    printf '::warning title=Shipfeed::%s\n' "$1" | sed 's/%/%25/g'
  else
    printf '%s\n' "$1" >&2
  fi
}

not_announced() {
  warn "The deployment was not announced: $1"
  if [ "${SHIPFEED_FAIL:-}" = true ]; then exit 1; fi
  exit 0
}

# Joins foreign text to one line, so that no part of it can be a command for the runner.
one_line() {
  LC_ALL=C tr '\000-\037\177' ' ' | LC_ALL=C awk '{ sub(/ +$/, ""); print substr($0, 1, 600) }'
}

# What the CI says of this run. Each row is a CI: how it is known, then the repository, the commit, the tag, the
# environment, the message of the commit, what identifies the run, and its page. The first row that fits counts.
read_run() {
  run_is_known=
  set +u
  ci "$GITHUB_ACTIONS" "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA" "$(if_tag "$GITHUB_REF_TYPE" "$GITHUB_REF_NAME")" '' '' \
    "$GITHUB_REPOSITORY:$GITHUB_RUN_ID:${GITHUB_RUN_ATTEMPT:-1}:$GITHUB_JOB:$GITHUB_ACTION" ''
  ci "$CI_PROJECT_URL" "$CI_PROJECT_URL" "$CI_COMMIT_SHA" "$CI_COMMIT_TAG" "$CI_ENVIRONMENT_NAME" "$CI_COMMIT_MESSAGE" \
    "$CI_PROJECT_ID:$CI_PIPELINE_ID:$CI_JOB_NAME" "$CI_JOB_URL"
  # Woodpecker
  ci "$CI_PIPELINE_NUMBER" "$CI_REPO_URL" "$CI_COMMIT_SHA" "$CI_COMMIT_TAG" "$CI_PIPELINE_DEPLOY_TARGET" "$CI_COMMIT_MESSAGE" \
    "$CI_REPO:$CI_PIPELINE_NUMBER:$CI_WORKFLOW_NAME:$CI_STEP_NAME" "$CI_PIPELINE_FORGE_URL"
  ci "$CIRCLECI" "$CIRCLE_REPOSITORY_URL" "$CIRCLE_SHA1" "$CIRCLE_TAG" '' '' \
    "$CIRCLE_WORKFLOW_ID:$CIRCLE_JOB" "$CIRCLE_BUILD_URL"
  ci "$BUILDKITE" "$BUILDKITE_REPO" "$BUILDKITE_COMMIT" "$BUILDKITE_TAG" '' "$BUILDKITE_MESSAGE" \
    "$BUILDKITE_BUILD_ID:${BUILDKITE_STEP_KEY:-$BUILDKITE_STEP_ID}" "$BUILDKITE_BUILD_URL"
  # Azure Pipelines
  ci "$TF_BUILD" "$BUILD_REPOSITORY_URI" "$BUILD_SOURCEVERSION" "$(tag_of_ref "$BUILD_SOURCEBRANCH")" "$ENVIRONMENT_NAME" \
    "$BUILD_SOURCEVERSIONMESSAGE" "$SYSTEM_TEAMPROJECTID:$BUILD_BUILDID:$SYSTEM_JOBID" ''
  ci "$BITBUCKET_BUILD_NUMBER" "$BITBUCKET_GIT_HTTP_ORIGIN" "$BITBUCKET_COMMIT" "$BITBUCKET_TAG" "$BITBUCKET_DEPLOYMENT_ENVIRONMENT" '' \
    "$BITBUCKET_PIPELINE_UUID:$BITBUCKET_STEP_UUID" ''
  ci "$DRONE" "$DRONE_REPO_LINK" "$DRONE_COMMIT_SHA" "$DRONE_TAG" "$DRONE_DEPLOY_TO" "$DRONE_COMMIT_MESSAGE" \
    "$DRONE_REPO:$DRONE_BUILD_NUMBER:$DRONE_STAGE_NAME:$DRONE_STEP_NAME" "$DRONE_BUILD_LINK"
  # Jenkins
  ci "$BUILD_TAG" "$GIT_URL" "$GIT_COMMIT" "$TAG_NAME" '' '' "$BUILD_TAG" "$BUILD_URL"
  ci "$TRAVIS" '' "$TRAVIS_COMMIT" "$TRAVIS_TAG" '' "$TRAVIS_COMMIT_MESSAGE" \
    "$TRAVIS_REPO_SLUG:$TRAVIS_JOB_ID" "$TRAVIS_JOB_WEB_URL"
  ci "$TEAMCITY_VERSION" '' "$BUILD_VCS_NUMBER" '' '' '' \
    "$TEAMCITY_PROJECT_NAME:$TEAMCITY_BUILDCONF_NAME:$BUILD_NUMBER" "$BUILD_URL"
  ci "$SEMAPHORE" "$SEMAPHORE_GIT_URL" "$SEMAPHORE_GIT_SHA" "$SEMAPHORE_GIT_TAG_NAME" '' '' \
    "$SEMAPHORE_PIPELINE_ID:$SEMAPHORE_JOB_NAME" "$SEMAPHORE_ORGANIZATION_URL/jobs/$SEMAPHORE_JOB_ID"
  ci checkout '' '' '' '' '' '' ''
  set -u
}

# Takes what a row says, and the rest from the checkout.
ci() {
  if [ -n "$run_is_known" ] || [ -z "$1" ]; then return; fi
  run_is_known=true run_repository=$2 run_commit=$3 run_tag=$4 run_environment=$5 run_message=$6 run_key=$7 run_page=$8
  case $run_commit in
    # Buildkite may say HEAD.
    '' | *[!0-9A-Fa-f]*) run_commit=$(git rev-parse HEAD 2> /dev/null) || run_commit= ;;
  esac
  # One key for all runs would announce only the first.
  case $run_key in *[!:]*) ;; *) run_key= ;; esac
  if [ -z "$run_repository" ]; then run_repository=$(git config --get remote.origin.url 2> /dev/null) || run_repository=; fi
}

# The name of a ref if its type is a tag.
if_tag() {
  if [ "$1" = tag ]; then printf %s "$2"; fi
}

tag_of_ref() {
  case $1 in refs/tags/*) printf %s "${1#refs/tags/}" ;; esac
}

message() {
  if [ -n "${SHIPFEED_MESSAGE:-}" ]; then
    printf %s "$SHIPFEED_MESSAGE" | shortened
  elif [ -n "${SHIPFEED_COMMIT_MESSAGE:-$run_message}" ]; then
    printf '%s\n' "${SHIPFEED_COMMIT_MESSAGE:-$run_message}" | title | shortened
  else
    { git log -1 --format=%B 2> /dev/null || echo "Deployed ${GITHUB_REF_NAME:-}"; } | title | shortened
  fi
}

# The first line. For a merge, the title of the merged change: the next line, or in quotes (Forgejo, Gitea).
title() {
  LC_ALL=C awk '
    { sub(/\r$/, "") }
    NR == 1 { title = $0; merge = /^Merge / }
    NR == 1 && /^Merge pull request \047.*\047 \(#[0-9]+\) from / {
      merge = sub(/^Merge pull request \047/, "", title) + sub(/\047 \(#[0-9]+\) from .*$/, "", title) == 0
    }
    merge && NR > 1 && NF { title = $0; merge = 0 }
    END { printf "%s", title }'
}

# A message has at most 4,096 bytes: a longer one is cut after a whole character and ends with an ellipsis.
shortened() {
  cat > "$folder/whole"
  if [ "$(wc -c < "$folder/whole")" -le 4096 ]; then
    cat "$folder/whole"
  else
    LC_ALL=C awk '
      length(text) <= 4096 { text = text (NR == 1 ? "" : "\n") $0 }
      END {
        text = substr(text, 1, 4090)
        sub(/[\300-\367][\200-\277]*$/, "", text)
        printf "%s\342\200\246", text
      }' "$folder/whole"
  fi
}

# The page of the commit at its forge, otherwise the page of the run.
link() {
  repository=$(web_address "$run_repository")
  case $repository in http://bitbucket.org/*) repository=https${repository#http} ;; esac
  case $repository in
    '') printf %s "$run_page" ;;
    *bitbucket*) printf %s "$repository${run_commit:+/commits/$run_commit}" ;;
    *gitlab*) printf %s "$repository${run_commit:+/-/commit/$run_commit}" ;;
    *) printf %s "$repository${run_commit:+/commit/$run_commit}" ;;
  esac
}

# The web page of a git address, without user, password and ssh port; empty if there is none.
web_address() {
  scheme=https
  case $1 in
    http://* | https://*) scheme=${1%%://*} rest=${1#*://} ;;
    ssh://*) rest=${1#ssh://} ;;
    *://*) return ;;
    *@*.*:*) rest=${1%%:*}/${1#*:} ;;
    *) return ;;
  esac
  rest=${rest%/}/
  host=${rest%%/*}
  host=${host##*@}
  if [ "${1#ssh:}" != "$1" ]; then host=${host%%:*}; fi
  repository=${rest#*/}
  repository=${repository%/}
  repository=${repository%.git}
  case $host/${repository#/} in
    *[!A-Za-z0-9:/._~+@%-]*) ;;
    ?*/?*) echo "$scheme://$host/${repository#/}" ;;
  esac
}

# The tag that is being built, if it fits.
version() {
  if [ "${#run_tag}" -le 128 ]; then printf %s "$run_tag"; fi
}

# CIs allow spaces and more in the name of an environment.
environment() {
  printf %s "$run_environment" | LC_ALL=C tr -c 'A-Za-z0-9._/-' '_' | cut -c 1-64
}

# Anything but a commit hash is left out: it would be refused, and the deployment with it.
commit() {
  case $run_commit in
    *[!0-9A-Fa-f]*) ;;
    ???????*) printf %s "$run_commit" ;;
  esac
}

# The same for each try of a run, different for each run: at most 255 characters of visible ASCII.
key() {
  if [ -n "${SHIPFEED_KEY:-$run_key}" ]; then
    printf %s "${SHIPFEED_KEY:-$run_key}"
  else
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
  fi | LC_ALL=C tr -c '!-~' '_' | cut -c 1-255
}

main
