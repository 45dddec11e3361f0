#!/bin/sh
# Announces a deployment to a Shipfeed server from any pipeline, hook or terminal, with a POSIX shell and curl 7.55 or
# newer. It needs no file, and whatever happens to it, what called it goes on.
#
#   SHIPFEED_TOKEN           the token, from the secrets of the pipeline
#   SHIPFEED_USER            in place of a token: the username that trusts this pipeline as a publisher
#   SHIPFEED_ID_TOKEN        the identity token of this job (GitLab: id_tokens); on GitHub the script requests it
#   SHIPFEED_AUDIENCE        the audience of that token; default: the address of the server
#   SHIPFEED_URL             the server; filled in if this file comes from a server
#   SHIPFEED_MESSAGE         the whole text of the announcement; default: the title of the commit
#   SHIPFEED_COMMIT          the commit that is deployed; default: that of Kamal, of the run or of the checkout
#   SHIPFEED_COMMIT_MESSAGE  the message of that commit; default: as the CI or the checkout knows it
#   SHIPFEED_LINK            the link; default: the page of that commit, otherwise of the run
#   SHIPFEED_CATEGORY        feature, bug_fix, performance_improvement or styling_change; default: read from the message
#   SHIPFEED_ENVIRONMENT     the environment, such as production; default: the one that Kamal or the CI says
#   SHIPFEED_VERSION         the version, such as v2.4.0; default: the tag that is being built
#   SHIPFEED_PROJECT         the project, such as engine or shop/checkout; default: the server reads it from the link
#   SHIPFEED_ACTOR           who deploys, by name; "-": nobody; default: the person that the CI says started the run
#   SHIPFEED_ENVIRONMENT_URL the address where it runs; default: that of the environment of GitLab
#   SHIPFEED_KEY             one key announces once; default: the run and a checksum of what is announced. Jobs of a run
#                            that announce the same need a key each, such as "$GITHUB_RUN_ID:$GITHUB_RUN_ATTEMPT:eu"
#   SHIPFEED_WAIT            the most seconds that this may take; default: 120
#   SHIPFEED_FAIL            "true": exit with 1 if nothing was announced; default: only warn
#
# Everything is in functions, so that an incomplete download does nothing.

main() {
  # Only an exit of its own ends this script.
  set +eu
  for tool in awk curl od sed sleep tr; do
    command -v "$tool" > /dev/null || not_announced "there is no $tool here"
  done
  case ${SHIPFEED_WAIT:=120} in
    0* | *[!0-9]* | ?????*) warn 'SHIPFEED_WAIT must be 1 to 9999 seconds, so it is 120'; SHIPFEED_WAIT=120 ;;
  esac
  left=$((SHIPFEED_WAIT * 1000))
  server=${SHIPFEED_URL:-@SHIPFEED_URL@}
  case $server in
    http://* | https://*) server=${server%/} ;;
    *) not_announced 'SHIPFEED_URL is not the address of a server' ;;
  esac
  token=$SHIPFEED_TOKEN
  if [ -z "$token" ] && [ -n "$SHIPFEED_USER" ]; then
    exchange
    # 422: the identity token was used already, because an answer was lost. GitHub issues another one.
    if [ "$(told code)" = 422 ] && [ -z "$SHIPFEED_ID_TOKEN" ]; then exchange; fi
    token=$(member token)
    if [ -z "$token" ]; then not_announced "$(told said)"; fi
  fi
  case $token in
    '') not_announced 'SHIPFEED_TOKEN is not set. Add it to the secrets, and pass it to this job, or set SHIPFEED_USER' ;;
    *[!A-Za-z0-9_]*) not_announced 'SHIPFEED_TOKEN is not a token: it contains characters that no token has' ;;
  esac
  read_run
  fields=$(
    option data-urlencode message= "${SHIPFEED_MESSAGE:-$(title)}" 4096
    option data-urlencode url= "${SHIPFEED_LINK:-$(link)}"
    option data-urlencode category= "$SHIPFEED_CATEGORY"
    option data-urlencode environment= "$environment"
    option data-urlencode version= "$version"
    option data-urlencode commit= "${SHIPFEED_COMMIT:-$run_commit}"
    option data-urlencode project= "$SHIPFEED_PROJECT"
    option data-urlencode environment_url= "$environment_url"
  )
  # The actor is not part of the key: whoever retries a job announces nothing new.
  request=$(authorization "$token" && option header 'Idempotency-Key: ' "$(key)" && show "$fields" &&
    option data-urlencode actor= "$actor")
  call "$server/api"
  if [ -z "$SHIPFEED_TOKEN" ] && [ "$left" -ge 1000 ]; then
    authorization "$token" | curl -q -K - -sS -o /dev/null --max-time $((left > 10000 ? 10 : left / 1000)) \
      -X DELETE "$server/api/oidc" 2> /dev/null
  fi
  if [ "$(told code)" = 201 ]; then announced; else not_announced "$(told said)"; fi
  exit 0
}

# Prints a text as it is: in some shells, printf is a program, whose command line other users may see.
show() { text=$1 LC_ALL=C awk 'BEGIN { print ENVIRON["text"] }'; }

# An option for the standard input of curl, unless the text is empty. A text of more than $4 bytes is cut after a whole
# character and ends with an ellipsis.
option() {
  if [ -z "$3" ]; then return; fi
  name=$1 prefix=$2 text=$3 most=${4:-999999} LC_ALL=C awk 'BEGIN {
    text = ENVIRON["text"]
    if (length(text) > ENVIRON["most"] + 0) {
      text = substr(text, 1, ENVIRON["most"] - 6)
      sub(/[\300-\367][\200-\277]*$/, "", text)
      text = text "\342\200\246"
    }
    gsub(/[\\"]/, "\\\\&", text)
    gsub(/\n/, "\\n", text)
    print ENVIRON["name"] " = \"" ENVIRON["prefix"] text "\""
  }'
}

authorization() { option header 'Authorization: Bearer ' "$1"; }

# Sends the request until the answer is final or no time is left; a try takes at most 10 s. Leaves the answer as lines
# with names. Its text becomes one line, so that no part of it can be a command for the runner.
call() {
  pause=1
  while :; do
    answer=$(show "$request" | curl -q -K - -sS -i --suppress-connect-headers -w '\n%{http_code} %{time_total}\n' \
      --max-time $((left > 10000 ? 10 : (left + 999) / 1000)) "$1" 2>&1 | LC_ALL=C tr -d '\000\r' | LC_ALL=C awk '
        { gsub(/[\001-\037\177]/, " "); sub(/ +$/, "") }
        text == "" && /^HTTP\// { isHead = 1 }
        isHead { header[tolower($1)] = $2; isHead = $0 != ""; next }
        /^[0-9][0-9][0-9] [0-9]+[.,][0-9]+$/ { sub(/,/, "."); code = $1; spent = $2 * 1000 + 1; next }
        # Curl found no host or no connection, or no whole answer in time.
        /^curl: \((6|7|16|18|28|35|52|55|56|92)\)/ { isCut = 1 }
        $0 != "" { text = substr(text (text == "" ? "" : " ") $0, 1, 10000) }
        END {
          printf "code: %s\nspent: %d\nsaid: %s (%s)\n", code, spent, substr(text, 1, 600), code
          printf "text: %s\npage: %s\nends: %s\n", text, header["location:"], header["shipfeed-token-expires:"]
          later = header["retry-after:"] + 0
          if (isCut || code ~ /^(408|429|500|502|503|504)$/) printf "again: %d\n", (later < 9999 ? later : 9999)
        }')
    spent=$(told spent) again=$(told again)
    left=$((left - ${spent:-10000}))
    pause=$((again > pause ? again : pause))
    if [ -z "$again" ] || [ "$left" -le $((pause * 1000)) ]; then return; fi
    sleep "$pause"
    left=$((left - pause * 1000)) pause=$((pause < 16 ? pause * 2 : 16))
  done
}

# What the answer has under a name.
told() { show "$answer" | LC_ALL=C sed -n "s/^$1: //p"; }

# A text in the JSON of the answer, such as a token.
member() { told text | LC_ALL=C sed -n 's/.*"'"$1"'" *: *"\([A-Za-z0-9._-]*\)".*/\1/p'; }

# Exchanges the identity token of this job for a token of 15 minutes.
exchange() {
  jwt=$SHIPFEED_ID_TOKEN
  if [ -z "$jwt" ] && [ -n "$ACTIONS_ID_TOKEN_REQUEST_URL" ]; then
    request=$(authorization "$ACTIONS_ID_TOKEN_REQUEST_TOKEN")
    call "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${SHIPFEED_AUDIENCE:-$server}"
    jwt=$(member value)
    if [ -z "$jwt" ]; then not_announced "GitHub gave this job no identity token ($(told code))"; fi
  elif [ -z "$jwt" ] && [ -n "$GITHUB_ACTIONS" ]; then
    not_announced 'this job may not request an identity token. Add "permissions: id-token: write" to it'
  elif [ -z "$jwt" ]; then
    not_announced 'SHIPFEED_ID_TOKEN is not set. Pass an identity token to this job (on GitLab by id_tokens)'
  fi
  request=$(option data-urlencode jwt= "$jwt" && option data-urlencode user= "$SHIPFEED_USER")
  call "$server/api/oidc"
}

announced() {
  expiry=$(told ends | sed -n 's/^"\([0-9TZ:-]*\)";days=\([0-9]\{1,5\}\).*/\2 \1/p')
  if [ -n "$expiry" ] && [ "${expiry%% *}" -le 14 ]; then
    warn "The token ends in ${expiry%% *} days, at ${expiry#* }. Give this pipeline a new token from $server/settings/tokens"
  fi
  # A server's answer could contain a command for the runner, so only an address of that server is shown.
  page=$(told page)
  case $page in *[!A-Za-z0-9:/._-]*) page= ;; "$server"/*) ;; *) page= ;; esac
  show "Announced${page:+: $page}"
  if [ -n "$GITHUB_OUTPUT" ]; then { show "page=$page" && show "id=${page##*/}"; } >> "$GITHUB_OUTPUT"; fi
}

warn() {
  if [ -n "$GITHUB_ACTIONS" ]; then
    # The runner shows this command as a warning, and reads % as an escape.
    printf '::warning title=Shipfeed::%s\n' "$1" | LC_ALL=C sed 's/%/%25/g'
  else
    printf '%s\n' "$1" >&2
  fi
}

not_announced() {
  warn "The deployment was not announced: $1"
  if [ "${SHIPFEED_FAIL-}" = true ]; then exit 1; fi
  exit 0
}

# What the CI says of this run. Each row is a CI: how it is known, then the repository, the commit, the tag, the
# environment, the message of the commit, what identifies the run, its page, and who started it. The first row that fits
# counts.
read_run() {
  run_is_known=
  # With GIT_DIR, git reads the checkout of another user as well.
  above=$(pwd)
  while [ -z "$GIT_DIR" ] && [ -n "$above" ]; do
    if [ -e "$above/.git" ]; then export GIT_DIR="$above/.git"; fi
    above=${above%/*}
  done
  ci "$GITHUB_ACTIONS" "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$GITHUB_SHA" "$GITHUB_REF" '' '' \
    "$GITHUB_REPOSITORY:$GITHUB_RUN_ID:${GITHUB_RUN_ATTEMPT:-1}:$GITHUB_JOB:${GITHUB_ACTION-}" '' \
    "${GITHUB_TRIGGERING_ACTOR:-${GITEA_ACTIONS:+$GITHUB_ACTOR}}"
  ci "$CI_PROJECT_URL" "$CI_PROJECT_URL" "$CI_COMMIT_SHA" "$CI_COMMIT_TAG" "$CI_ENVIRONMENT_NAME" "$CI_COMMIT_MESSAGE" \
    "$CI_PROJECT_ID:$CI_PIPELINE_ID:$CI_JOB_NAME" "$CI_JOB_URL" "$GITLAB_USER_LOGIN"
  # Woodpecker
  ci "$CI_PIPELINE_NUMBER" "$CI_REPO_URL" "$CI_COMMIT_SHA" "$CI_COMMIT_TAG" "$CI_PIPELINE_DEPLOY_TARGET" "$CI_COMMIT_MESSAGE" \
    "$CI_REPO:$CI_PIPELINE_NUMBER:$CI_WORKFLOW_NAME:$CI_STEP_NAME" "$CI_PIPELINE_FORGE_URL"
  ci "$CIRCLECI" "$CIRCLE_REPOSITORY_URL" "$CIRCLE_SHA1" "$CIRCLE_TAG" '' '' "$CIRCLE_WORKFLOW_ID:$CIRCLE_JOB" "$CIRCLE_BUILD_URL" \
    "$CIRCLE_USERNAME"
  ci "$BUILDKITE" "$BUILDKITE_REPO" "$BUILDKITE_COMMIT" "$BUILDKITE_TAG" '' "$BUILDKITE_MESSAGE" \
    "$BUILDKITE_BUILD_ID:${BUILDKITE_STEP_KEY:-$BUILDKITE_STEP_ID}" "$BUILDKITE_BUILD_URL" "${BUILDKITE_UNBLOCKER:-$BUILDKITE_BUILD_CREATOR}"
  # Azure Pipelines
  ci "$TF_BUILD" "$BUILD_REPOSITORY_URI" "$BUILD_SOURCEVERSION" "$BUILD_SOURCEBRANCH" "$ENVIRONMENT_NAME" \
    "$BUILD_SOURCEVERSIONMESSAGE" "$SYSTEM_TEAMPROJECTID:$BUILD_BUILDID:$SYSTEM_JOBID" '' "$BUILD_REQUESTEDFOR"
  ci "$BITBUCKET_BUILD_NUMBER" "$BITBUCKET_GIT_HTTP_ORIGIN" "$BITBUCKET_COMMIT" "$BITBUCKET_TAG" "$BITBUCKET_DEPLOYMENT_ENVIRONMENT" '' \
    "$BITBUCKET_PIPELINE_UUID:$BITBUCKET_STEP_UUID" ''
  ci "$DRONE" "$DRONE_REPO_LINK" "$DRONE_COMMIT_SHA" "$DRONE_TAG" "$DRONE_DEPLOY_TO" "$DRONE_COMMIT_MESSAGE" \
    "$DRONE_REPO:$DRONE_BUILD_NUMBER:$DRONE_STAGE_NAME:$DRONE_STEP_NAME" "$DRONE_BUILD_LINK"
  # Jenkins, whose plugin for users names these causes of builds that nobody started.
  case $BUILD_USER_ID in timer | scmChange | branchIndexing | genericWebhook | remoteRequest | remoteTrigger) BUILD_USER_ID= ;; esac
  ci "$BUILD_TAG" "$GIT_URL" "$GIT_COMMIT" "$TAG_NAME" '' '' "$BUILD_TAG:$STAGE_NAME" "$BUILD_URL" "$BUILD_USER_ID"
  ci "$TRAVIS" '' "$TRAVIS_COMMIT" "$TRAVIS_TAG" '' "$TRAVIS_COMMIT_MESSAGE" "$TRAVIS_REPO_SLUG:$TRAVIS_JOB_ID" "$TRAVIS_JOB_WEB_URL"
  ci "$TEAMCITY_VERSION" '' "$BUILD_VCS_NUMBER" '' '' '' "$TEAMCITY_PROJECT_NAME:$TEAMCITY_BUILDCONF_NAME:$BUILD_NUMBER" "$BUILD_URL"
  ci "$SEMAPHORE" "$SEMAPHORE_GIT_URL" "$SEMAPHORE_GIT_SHA" "$SEMAPHORE_GIT_TAG_NAME" '' '' \
    "$SEMAPHORE_PIPELINE_ID:$SEMAPHORE_JOB_NAME" "$SEMAPHORE_ORGANIZATION_URL/jobs/$SEMAPHORE_JOB_ID"
  ci checkout '' '' '' '' '' '' '' ''
  # What is deployed may be another commit, such as in a rollback, and Kamal tells its hooks which. Then what the CI says
  # of its commit does not hold.
  deployed=${SHIPFEED_COMMIT:-${KAMAL_VERSION%%_uncommitted_*}}
  case $run_commit in
    "$deployed"*) run_message=${SHIPFEED_COMMIT_MESSAGE:-$run_message} ;;
    *) run_commit=$deployed run_message='' run_tag='' ;;
  esac
  # A version of Kamal may be no commit. What the server would refuse is left out: it would refuse the deployment.
  case $run_commit in *[!0-9A-Fa-f]*) run_tag=$run_commit run_commit= ;; ???????*) ;; *) run_commit= ;; esac
  run_message="${run_message:-$(in_checkout log -1 --format=%B "$run_commit" -- | sed 20q)}"
  run_message=${run_message:-$SHIPFEED_COMMIT_MESSAGE}
  if [ "${#run_tag}" -gt 128 ]; then run_tag=; fi
  version=${SHIPFEED_VERSION:-$run_tag}
  # CIs allow spaces and more in the name of an environment.
  environment="${SHIPFEED_ENVIRONMENT:-$(fitting "${KAMAL_DESTINATION:-$run_environment}" 'A-Za-z0-9._/-' 64)}"
  environment_url=$SHIPFEED_ENVIRONMENT_URL
  if [ -z "$environment_url" ] && [ "$environment" = "$(fitting "$CI_ENVIRONMENT_NAME" 'A-Za-z0-9._/-' 64)" ]; then
    environment_url=$(address "$CI_ENVIRONMENT_URL")
  fi
  actor="${SHIPFEED_ACTOR:-$(person "$run_actor")}"
  if [ "$actor" = - ]; then actor=; fi
}

# Takes what a row says, and the rest from the checkout.
ci() {
  if [ -n "$run_is_known" ] || [ -z "$1" ]; then return; fi
  run_is_known=true run_repository=$2 run_commit=$3 run_tag=$4 run_environment=$5 run_message=$6 run_key=$7 run_page=$8
  run_actor=${9-}
  case $run_commit in
    # Buildkite may say HEAD.
    '' | *[!0-9A-Fa-f]*) run_commit=$(in_checkout rev-parse --verify --quiet HEAD) ;;
  esac
  case $run_tag in refs/tags/*) run_tag=${run_tag#refs/tags/} ;; refs/*) run_tag= ;; esac
  # One key for all runs would announce only the first.
  case $run_key in *[!:]*) ;; *) run_key= ;; esac
  if [ -z "$run_repository" ]; then run_repository=$(in_checkout config --get remote.origin.url); fi
}

# The name of a person; nothing for a program, for an e-mail address and for what the server would refuse.
person() {
  text=$1 LC_ALL=C awk 'BEGIN {
    text = characters = ENVIRON["text"]
    gsub(/[\200-\277]/, "", characters)
    if (length(characters) > 60 || text !~ /[^ ]/ || text ~ /[@\001-\037\177]/) exit
    # Marks of direction and ends of lines in Unicode.
    if (text ~ /\342\200[\216\217\250-\256]|\342\201[\246-\251]|\330\234/) exit
    if (text ~ /\[bot\]|^(dependabot|renovate)|^(project|group)_[0-9]+_bot|^(forgejo|gitea)-actions$/) exit
    # Azure Pipelines
    if (text ~ /^Microsoft\.VisualStudio\.| Build Service \(/) exit
    print text
  }'
}

# The text if it is an address that the server takes.
address() {
  text=$1 LC_ALL=C awk 'BEGIN {
    text = ENVIRON["text"]
    if (length(text) > 2048) exit
    if (text ~ /^https?:\/\/([A-Za-z0-9_-]+\.)*[A-Za-z][A-Za-z0-9_-]*(:[1-5]?[0-9]?[0-9]?[0-9]?[0-9])?([\/?#][!-~]*)?$/) print text
  }'
}

# Git as it runs no program and calls no server that a stranger's checkout may name.
in_checkout() { GIT_ALLOW_PROTOCOL=none git -c log.showSignature=false "$@" 2> /dev/null; }

# The title of the commit, otherwise what is known, such as "engine v2.4.0 deployed to production".
title() {
  title=$(show "$run_message" | first_line)
  if [ -z "$title" ]; then
    name=$(web_address "$run_repository") what="${version:-$(fitting "$deployed" '!-~' 7)}"
    title="${name:+${name##*/} }${what:+$what }deployed${environment:+ to $environment}"
    case $title in deployed*) title=D${title#d} ;; esac
  fi
  show "$title"
}

# The first line. For a merge, the title of the merged change: the next line, unless git lists conflicts there, or in
# quotes (Forgejo, Gitea).
first_line() {
  LC_ALL=C awk '
    { sub(/\r$/, "") }
    NR == 1 { title = $0; merge = /^Merge / }
    NR == 1 && /^Merge pull request \047.*\047 \(#[0-9]+\) from / {
      merge = sub(/^Merge pull request \047/, "", title) + sub(/\047 \(#[0-9]+\) from .*$/, "", title) == 0
    }
    /^(# )?Conflicts:$/ { merge = 0 }
    merge && NR > 1 && NF { title = $0; merge = 0 }
    END { print title }'
}

# The page of the commit at its forge, otherwise the page of the run.
link() {
  repository=$(web_address "$run_repository")
  if [ -z "$repository" ]; then show "$run_page"; return; fi
  # A repository may have the name of a forge, so only the host counts. A job of GitLab knows its project's address.
  host=${repository#*://}
  case ${CI_PROJECT_URL:+gitlab }${host%%/*} in
    *gitlab*) page=/-/commit/ ;;
    *bitbucket*) page=/commits/ ;;
    *) page=/commit/ ;;
  esac
  show "$repository${run_commit:+$page$run_commit}"
}

# The web page of a git address, without user, password and ssh port; nothing if there is none.
web_address() {
  show "$1" | LC_ALL=C sed -n '
    s|^[^/]*@\([^/:]*\.[^/:]*\):/*|https://\1/|
    s|^ssh://\([^/]*@\)\{0,1\}\([^/:]*\)[^/]*|https://\2|
    s|^\(https\{0,1\}://\)[^/]*@|\1|
    s|^http://bitbucket\.org/|https://bitbucket.org/|
    s|/*$||
    s|\.git$||
    \|^https\{0,1\}://[A-Za-z0-9:._-]\{1,\}/[A-Za-z0-9:/._~+@%-]\{1,\}$|p'
}

# The text with "_" in place of all characters but these, cut.
fitting() {
  text=$1 other="[^$2]" most=$3 LC_ALL=C awk \
    'BEGIN { text = ENVIRON["text"]; gsub(ENVIRON["other"], "_", text); print substr(text, 1, ENVIRON["most"]) }'
}

# The same for each try of a run, different for each run and each announcement: at most 255 characters of visible ASCII.
key() {
  if [ -n "$SHIPFEED_KEY" ]; then
    fitting "$SHIPFEED_KEY" '!-~' 255
  elif [ -n "$run_key" ]; then
    sum=$(show "$fields" | od -An -v -tu1 |
      awk '{ for (n = 1; n <= NF; n++) sum = (sum * 257 + $n) % 4294967291 } END { printf "%.0f", sum }')
    show "$(fitting "$run_key" '!-~' 240):$sum"
  else
    show "shell:$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  fi
}

main
