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
#   SHIPFEED_LINK            the link; default: the commit, or the repository of the checkout
#   SHIPFEED_CATEGORY        feature, bug_fix, performance_improvement or styling_change; default: read from the message
#   SHIPFEED_ENVIRONMENT     the environment, such as production; default: GitLab's name for it
#   SHIPFEED_VERSION         the version, such as v2.4.0; default: the tag that is being built
#   SHIPFEED_COMMIT          the commit; default: that of the run, or of the checkout
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
    # The identity token was used, but its answer was lost. GitHub issues another one.
    if [ "$code" = 422 ] && [ -z "${SHIPFEED_ID_TOKEN:-}" ]; then exchange; fi
    token=$(sed -n 's/.*"token" *: *"\(ship_[A-Za-z0-9]*\)".*/\1/p' "$folder/answer" 2> /dev/null) || true
    if [ -z "$token" ]; then not_announced "$(said)"; fi
  fi
  case $token in
    '') not_announced 'SHIPFEED_TOKEN is not set. Add it to the secrets, and hand it to this job, or set SHIPFEED_USER' ;;
    *[!A-Za-z0-9_]*) not_announced 'SHIPFEED_TOKEN is not a token: it has other characters' ;;
  esac
  message > "$folder/message"
  printf %s "${SHIPFEED_LINK:-$(commit_link)}" > "$folder/link"
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
    if [ ! -s "$folder/jwt" ]; then not_announced "GitHub gives this job no identity token ($code)"; fi
  elif [ -n "${GITHUB_ACTIONS:-}" ]; then
    not_announced 'this job may not request an identity token. Add "permissions: id-token: write" to it'
  else
    not_announced 'SHIPFEED_ID_TOKEN is not set. Hand this job an identity token (on GitLab by id_tokens)'
  fi
}

announced() {
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

not_announced() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    # The runner shows this command as a warning, and reads % as an escape.
    printf '::warning title=Shipfeed::The deployment was not announced: %s\n' "$1" | sed 's/%/%25/g'
  else
    printf 'The deployment was not announced: %s\n' "$1" >&2
  fi
  if [ "${SHIPFEED_FAIL:-}" = true ]; then exit 1; fi
  exit 0
}

# Joins foreign text to one line, so that no part of it can be a command for the runner.
one_line() {
  LC_ALL=C tr '\000-\037\177' ' ' | LC_ALL=C awk '{ sub(/ +$/, ""); print substr($0, 1, 600) }'
}

message() {
  if [ -n "${SHIPFEED_MESSAGE:-}" ]; then
    printf %s "$SHIPFEED_MESSAGE" | shortened
  elif [ -n "${SHIPFEED_COMMIT_MESSAGE:-${CI_COMMIT_MESSAGE:-}}" ]; then
    printf '%s\n' "${SHIPFEED_COMMIT_MESSAGE:-$CI_COMMIT_MESSAGE}" | title | shortened
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

commit_link() {
  if [ -n "${GITHUB_SHA:-}" ]; then
    echo "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/commit/$GITHUB_SHA"
  elif [ -n "${CI_PROJECT_URL:-}" ]; then
    echo "$CI_PROJECT_URL/-/commit/$CI_COMMIT_SHA"
  elif [ -n "${CI_PIPELINE_FORGE_URL:-}" ]; then
    # Woodpecker
    echo "$CI_PIPELINE_FORGE_URL"
  else
    # Jenkins, or any checkout
    link=$(web_address "${GIT_URL:-$(git config --get remote.origin.url 2> /dev/null)}")
    echo "${link:-${BUILD_URL:-}}"
  fi
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
  set -- "${CI_COMMIT_TAG:-}"
  if [ "${GITHUB_REF_TYPE:-}" = tag ]; then set -- "${GITHUB_REF_NAME:-}"; fi
  if [ "${#1}" -le 128 ]; then printf %s "$1"; fi
}

# GitLab allows spaces and more in the name of an environment.
environment() {
  printf %s "${CI_ENVIRONMENT_NAME:-}" | LC_ALL=C tr -c 'A-Za-z0-9._/-' '_' | cut -c 1-64
}

# Anything but a commit hash is left out: it would be refused, and the deployment with it.
commit() {
  set -- "${GITHUB_SHA:-${CI_COMMIT_SHA:-${GIT_COMMIT:-$(git rev-parse HEAD 2> /dev/null || true)}}}"
  case $1 in
    *[!0-9A-Fa-f]*) ;;
    ???????*) printf %s "$1" ;;
  esac
}

# The same for each try of a run, different for each run: at most 255 characters of visible ASCII.
key() {
  if [ -n "${SHIPFEED_KEY:-}" ]; then
    printf %s "$SHIPFEED_KEY"
  elif [ -n "${GITHUB_RUN_ID:-}" ]; then
    printf %s "$GITHUB_REPOSITORY:$GITHUB_RUN_ID:${GITHUB_RUN_ATTEMPT:-1}:${GITHUB_JOB:-}:${GITHUB_ACTION:-}"
  elif [ -n "${CI_PIPELINE_ID:-}" ]; then
    printf %s "$CI_PROJECT_ID:$CI_PIPELINE_ID:${CI_JOB_NAME:-}"
  elif [ -n "${CI_PIPELINE_NUMBER:-}" ]; then
    printf %s "${CI_REPO:-}:$CI_PIPELINE_NUMBER:${CI_WORKFLOW_NAME:-}:${CI_STEP_NAME:-}"
  elif [ -n "${BUILD_TAG:-}" ]; then
    printf %s "$BUILD_TAG"
  else
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
  fi | LC_ALL=C tr -c '!-~' '_' | cut -c 1-255
}

main
