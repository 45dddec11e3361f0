#!/bin/sh
# Announces a deployment to a Shipfeed server from any pipeline, with a POSIX shell and curl 7.55 or newer.
#
#   SHIPFEED_TOKEN           the token, from the secrets of the pipeline
#   SHIPFEED_USER            instead of a token: for whom, where they trust this pipeline as a publisher
#   SHIPFEED_ID_TOKEN        who this job is, where its CI hands that out so (GitLab: id_tokens); on GitHub it is asked for
#   SHIPFEED_AUDIENCE        for whom that is, if not for the address of the server
#   SHIPFEED_URL             the server; filled in where a server hands this file out
#   SHIPFEED_MESSAGE         what is announced, whole
#   SHIPFEED_COMMIT_MESSAGE  where that is not set: its title is announced; else that of the commit
#   SHIPFEED_LINK            where it leads; else to the commit
#   SHIPFEED_CATEGORY        feature, bug_fix, performance_improvement or styling_change; else read from the message
#   SHIPFEED_ENVIRONMENT     where it went, such as production; else what GitLab calls it
#   SHIPFEED_VERSION         what it is called, such as v2.4.0
#   SHIPFEED_COMMIT          else the commit of the run
#   SHIPFEED_KEY             the same key announces once; else made from the run
#   SHIPFEED_FAIL            "true": exit with 1 where nothing was announced; else a warning is all
#
# Everything is in functions, so that a half of this file does nothing.

main() {
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
    # The answer was lost, and its identity token with it: GitHub gives another one.
    if [ "$status" = 422 ] && [ -z "${SHIPFEED_ID_TOKEN:-}" ]; then exchange; fi
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
  printf %s "${SHIPFEED_VERSION:-}" > "$folder/version"
  printf %s "${SHIPFEED_COMMIT:-$(commit)}" > "$folder/commit"

  # The token goes in by the standard input and the rest by files, since other users may see a command line.
  # A call takes 10 s at most and may be repeated for two minutes: longer than a restart of the server takes,
  # and than the wait of a 429.
  status=$(bearer "$token" |
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
  if [ "$status" = 201 ]; then
    announced
  else
    not_announced "$announcement"
  fi
}

bearer() {
  printf 'header = "Authorization: Bearer %s"\n' "$1"
}

# Prints the status; the answer and what went wrong are in files. An answer before it may have held a secret.
patient_curl() {
  rm -f "$folder/answer"
  curl -q -sS -o "$folder/answer" -w '%{http_code}' \
    --max-time 10 --retry 9 --retry-connrefused --retry-max-time 120 "$@"
}

# What the last call ended with.
said() {
  echo "$(cat "$folder/answer" "$folder/errors" 2> /dev/null | one_line) ($status)"
}

# Exchanges who this job is for a token of 15 minutes.
exchange() {
  id_token
  printf %s "$SHIPFEED_USER" > "$folder/user"
  status=$(patient_curl --data-urlencode "jwt@$folder/jwt" --data-urlencode "user@$folder/user" \
    "$server/api/oidc" 2> "$folder/errors") || true
}

id_token() {
  if [ -n "${SHIPFEED_ID_TOKEN:-}" ]; then
    printf %s "$SHIPFEED_ID_TOKEN" > "$folder/jwt"
  elif [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ]; then
    status=$(bearer "${ACTIONS_ID_TOKEN_REQUEST_TOKEN:-}" |
      patient_curl -K - "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${SHIPFEED_AUDIENCE:-$server}" 2> "$folder/errors") || true
    sed -n 's/.*"value" *: *"\([A-Za-z0-9._-]*\)".*/\1/p' "$folder/answer" 2> /dev/null | tr -d '\n' > "$folder/jwt" || true
    if [ ! -s "$folder/jwt" ]; then not_announced "GitHub gives this job no identity token ($status)"; fi
  elif [ -n "${GITHUB_ACTIONS:-}" ]; then
    not_announced 'this job may not say who it is. Add "permissions: id-token: write" to it'
  else
    not_announced 'SHIPFEED_ID_TOKEN is not set. Hand this job an identity token (on GitLab by id_tokens)'
  fi
}

announced() {
  page=$(sed -n 's/^[Ll]ocation: *//p' "$folder/headers" | one_line)
  echo "Announced: $page"
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf 'page=%s\nid=%s\n' "$page" "${page##*/}" >> "$GITHUB_OUTPUT"
  fi
}

not_announced() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    # Its runner shows a command at the beginning of a line, and reads % as an escape.
    printf '::warning title=Shipfeed::The deployment was not announced: %s\n' "$1" | sed 's/%/%25/g'
  else
    printf 'The deployment was not announced: %s\n' "$1" >&2
  fi
  if [ "${SHIPFEED_FAIL:-}" = true ]; then exit 1; fi
  exit 0
}

# Whatever somebody else wrote is one line here, so that it is never taken for a command of the runner.
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

# The first line; of a merge the title of what was merged, which is the next one, or in quotes (Forgejo, Gitea).
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

# A message has 4,096 bytes at most: a longer one ends with a whole character and a sign that there was more.
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
  else
    # Woodpecker, Jenkins
    echo "${CI_PIPELINE_FORGE_URL:-${BUILD_URL:-}}"
  fi
}

# GitLab allows spaces and more in the name of an environment.
environment() {
  printf %s "${CI_ENVIRONMENT_NAME:-}" | LC_ALL=C tr -c 'A-Za-z0-9._/-' '_' | cut -c 1-64
}

# What is no commit after all would be refused, and the deployment with it.
commit() {
  set -- "${GITHUB_SHA:-${CI_COMMIT_SHA:-${GIT_COMMIT:-}}}"
  case $1 in
    *[!0-9A-Fa-f]*) ;;
    ???????*) printf %s "$1" ;;
  esac
}

# The same for each try of a job, and another one where it runs again: visible ASCII, 255 characters at most.
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
