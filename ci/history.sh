#!/bin/sh
# Adds the history of a repository to a profile on a Shipfeed server. Run it in a checkout, with git, a POSIX shell and
# curl 7.55 or newer. It may be run again: nothing is added twice.
#
#   --dry-run             prints what would be sent, one JSON object a line, and sends nothing
#
#   SHIPFEED_TOKEN        the token of the settings page
#   SHIPFEED_URL          the server; filled in if this file comes from a server
#   SHIPFEED_FORGE_TOKEN  a token of the forge that may read the repository. With it, releases and successful deployments
#                         are added too; without it, only the tags of the checkout. It is sent to the forge alone.
#   SHIPFEED_PROJECT      the project of all that is added; default: the server reads it from the links
#   SHIPFEED_FORGE        github, gitlab, forgejo or gitea; default: as the host of the remote "origin" suggests
#
# Everything is in functions, so that an incomplete download does nothing.

main() {
  set -eu
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  # Not all shells do at these what they do at their exit.
  trap 'rm -rf "$folder"; exit 1' HUP INT TERM
  : > "$folder/items"
  failed=
  is_dry=
  case ${1:-} in
    --dry-run) is_dry=true ;;
    '') ;;
    *) give_up "there is no option $1, only --dry-run" ;;
  esac
  server=${SHIPFEED_URL:-@SHIPFEED_URL@}
  server=${server%/}
  if [ -z "$is_dry" ]; then
    case $server in
      http://* | https://*) ;;
      *) give_up 'SHIPFEED_URL is not the address of a server' ;;
    esac
    case ${SHIPFEED_TOKEN:-} in
      '') give_up 'SHIPFEED_TOKEN is not set. The settings page of the server generates it' ;;
      *[!A-Za-z0-9_]*) give_up 'SHIPFEED_TOKEN is not a token: it contains characters that no token has' ;;
    esac
  fi
  git rev-parse --git-dir > /dev/null || give_up 'this is not a checkout. Run it in one'
  repository=$(web_address "$(git config --get remote.origin.url || true)")
  name=${repository##*/}
  case ${SHIPFEED_PROJECT:-} in
    *[!A-Za-z0-9_@.~+/-]*) give_up 'SHIPFEED_PROJECT is not the name of a project: it contains other characters' ;;
  esac
  # A release and its tag have the same version, and the server adds only the first of them: that of the forge.
  if [ -n "${SHIPFEED_FORGE_TOKEN:-}" ]; then read_forge; fi
  read_tags
  if [ -n "${SHIPFEED_PROJECT:-}" ]; then
    awk -v project="$SHIPFEED_PROJECT" '{ sub(/}$/, ",\"project\":\"" project "\"}"); print }' "$folder/items" > "$folder/named"
    mv "$folder/named" "$folder/items"
  fi
  if [ -n "$is_dry" ]; then
    cat "$folder/items"
  else
    send_all
  fi
  if [ -n "$failed" ]; then exit 1; fi
}

say() {
  printf '%s\n' "$1" >&2
}

give_up() {
  say "Nothing was added: $1"
  exit 1
}

# Reports that a part is missing; the rest goes on, and the exit code is 1.
fail() {
  say "$1"
  failed=true
}

# Not by printf, which in some shells is a program, whose command line other users may see.
bearer() {
  token=$1 awk 'BEGIN { print "header = \"Authorization: Bearer " ENVIRON["token"] "\"" }'
}

# Joins foreign text to one line of printable characters.
one_line() {
  LC_ALL=C tr '\000-\037\177' ' ' < "$1" | LC_ALL=C awk '{ sub(/ +$/, ""); print substr($0, 1, 600) }'
}

# The web page of a git address, without user, password and ssh port; nothing if there is none.
web_address() {
  printf '%s\n' "$1" | LC_ALL=C sed -n '
    s|^[^/]*@\([^/:]*\.[^/:]*\):/*|https://\1/|
    s|^ssh://\([^/]*@\)\{0,1\}\([^/:]*\)[^/]*|https://\2|
    s|^\(https\{0,1\}://\)[^/]*@|\1|
    s|^http://bitbucket\.org/|https://bitbucket.org/|
    s|/*$||
    s|\.git$||
    \|^https\{0,1\}://[A-Za-z0-9:._-]\{1,\}/[A-Za-z0-9:/._~+@%-]\{1,\}$|p'
}

# The start of the page of a "commit" or a "tag", for awk.
page_of() {
  if [ -z "$repository" ]; then return; fi
  # A repository may have the name of a forge, so only its host counts.
  host=${repository#*://}
  case $1:${SHIPFEED_FORGE:-${host%%/*}} in
    commit:*gitlab*) echo "$repository/-/commit/" ;;
    commit:*bitbucket*) echo "$repository/commits/" ;;
    commit:*) echo "$repository/commit/" ;;
    tag:*gitlab*) echo "$repository/-/tags/" ;;
    tag:*bitbucket*) ;;
    tag:*) echo "$repository/releases/tag/" ;;
  esac
}

# Functions for awk, by the rules of src/domain/tag.ts and src/capabilities/intakes/environment-name.ts.
reading='
  # Sets the package and the number of a tag: "@ada/read@1.2.0", "read-v1.2.0".
  function read_tag(tag, at, before, rest) {
    package = ""
    number = tag
    at = match(tag, /[-@_\/]v?[0-9][0-9A-Za-z_.+-]*$/)
    before = substr(tag, 1, at - 1)
    rest = substr(tag, at + 1)
    if (at < 2 || before ~ /^v?[0-9]/ || (substr(tag, at, 1) != "@" && rest !~ /[.]/)) return
    number = rest
    if (tolower(before) !~ /^(release|version)$/) package = before
  }
  function release_name(tag) {
    read_tag(tag)
    if (package != "") return package " " number
    return name (name == "" ? "" : " ") tag
  }
  function says_only_version(title, tag, bare, words) {
    read_tag(tag)
    if (title == tag) return 1
    bare = tolower(number)
    sub(/^v/, "", bare)
    words = tolower(title)
    # Gitmoji: shortcodes, or U+2000 to U+2FFF, U+FE0F and U+1F000 to U+1FFFF.
    sub(/^((:[a-z0-9_+-]+:|(\342|\360\237)[\200-\277][\200-\277]|\357\270\217) *)+/, "", words)
    sub(/^(chore|feat)([(][^()]*[)])?: /, "", words)
    sub(/ ([(]#[0-9]+[)]|[[]skip ci])$/, "", words)
    if (bare == "" || length(words) < length(bare) || substr(words, length(words) - length(bare) + 1) != bare) return 0
    words = substr(words, 1, length(words) - length(bare))
    sub(/(^|[ @:\/_-]+)v?$/, "", words)
    sub(/^(release|version|bump version to)( |$)/, "", words)
    return words == "" || words == tolower(name) || words == tolower(package)
  }
  # Sets the environment, the component and is_preview of a name at a forge: "Production – ui", "luck / production".
  function read_environment(text, parts, part, n, key, stage, rest, mixed) {
    stage = rest = component = ""
    is_preview = mixed = 0
    parts = text
    gsub(/\\u201[34]/, "-", parts)
    gsub(/ +(-|\/|[|]|:|\342\200\223|\342\200\224|\302\267) +| *[()] */, "\n", parts)
    for (n = split(parts, part, "\n"); n > 0; n -= 1) {
      key = tolower(part[n])
      if (key ~ /^preview([^a-z]|$)/) is_preview = 1
      if (key == "") continue
      if (key ~ / / || index(stages, " " key " ") == 0) rest = part[n] (rest == "" ? "" : " ") rest
      else {
        if (stage != "" && tolower(stage) != key) mixed = 1
        stage = part[n]
      }
    }
    if (stage == "" || mixed) stage = text
    else component = rest
    # Replaces what the name of an environment may not hold, as announce.sh does: forges allow spaces and more.
    gsub(/\\u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]|\\./, "_", stage)
    gsub(/[^A-Za-z0-9._\/-]/, "_", stage)
    environment = substr(stage, 1, 64)
  }
  BEGIN {
    stages = " dev develop development test testing tst qa sit integration uat acceptance acc hml staging stage stg"
    stages = stages " preprod pre-prod preproduction pre-production nonprod non-prod nonproduction non-production"
    stages = stages " production prod prd live preview "
  }
'

# Adds each tag, at the date of its commit. The message is that of the tag, or else the title of the commit; if that says
# only a version, or if the commit has tags of several packages, it is the name of the release. The link is the commit, or
# the tag if it names its package, by which the server tells the packages of a repository apart.
read_tags() {
  git for-each-ref --sort=creatordate refs/tags \
    --format='%(refname:strip=2)%0a%(objecttype) %(*objecttype)%0a%(objectname)%0a%(*objectname)%0a%(committerdate:iso-strict)%0a%(*committerdate:iso-strict)%0a%(contents:subject)' \
    > "$folder/tags"
  LC_ALL=C awk -v page="$(page_of commit)" -v page_of_tag="$(page_of tag)" -v name="$name" "$reading"'
    # Old commits may be in other encodings: bytes that are not UTF-8 become question marks.
    function json(text, out, n) {
      if (length(text) > 4000) {
        text = substr(text, 1, 4000)
        sub(/[\300-\367][\200-\277]*$/, "", text)
      }
      out = ""
      while (text != "") {
        if (match(text, /^[ !#-Z^-~]+/)) n = RLENGTH
        else if (index("[]", substr(text, 1, 1)) > 0) n = 1
        else if (match(text, /^[\302-\337][\200-\277]/)) n = 2
        else if (match(text, /^(\340[\240-\277]|[\341-\354\356\357][\200-\277]|\355[\200-\237])[\200-\277]/)) n = 3
        else if (match(text, /^(\360[\220-\277]|[\361-\363][\200-\277]|\364[\200-\217])[\200-\277][\200-\277]/)) n = 4
        else n = 0
        if (n > 0) out = out substr(text, 1, n)
        else if (text ~ /^["\\]/) out = out "\\" substr(text, 1, 1)
        else if (text ~ /^\t/) out = out "\\t"
        else out = out "?"
        text = substr(text, n > 0 ? n + 1 : 2)
      }
      return "\"" out "\""
    }
    { line[NR % 7] = $0 }
    NR % 7 == 0 {
      isCommit = line[2] ~ /^commit/
      if (!isCommit && line[2] !~ / commit$/) next
      commit = isCommit ? line[3] : line[4]
      message = line[0]
      read_tag(line[1])
      if (message ~ /^[ \t]*$/ || says_only_version(message, line[1]) || (isCommit && package != "")) message = release_name(line[1]) " released"
      printf "{\"message\":%s,\"version\":%s,\"commit\":\"%s\",\"deployed_at\":\"%s\"", json(message), json(line[1]), commit, isCommit ? line[5] : line[6]
      if (package != "" && page_of_tag != "" && line[1] !~ /[^A-Za-z0-9._~@\/+-]/) printf ",\"url\":\"%s%s\"", page_of_tag, line[1]
      else if (page != "") printf ",\"url\":\"%s%s\"", page, commit
      print "}"
    }' "$folder/tags" > "$folder/of_tags"
  say "Tags: $(wc -l < "$folder/of_tags" | tr -d ' ')"
  cat "$folder/of_tags" >> "$folder/items"
}

read_forge() {
  case $SHIPFEED_FORGE_TOKEN in
    *[!A-Za-z0-9_.=-]*) give_up 'SHIPFEED_FORGE_TOKEN is not a token: it contains characters that no token has' ;;
  esac
  if [ -z "$repository" ]; then give_up 'the remote "origin" is missing, or its address has no web page'; fi
  host=${repository#*://}
  place=${host#*/}
  host=${host%%/*}
  origin=${repository%%://*}://$host
  forge=${SHIPFEED_FORGE:-}
  if [ -z "$forge" ]; then
    case $host in
      *github*) forge=github ;;
      *gitlab*) forge=gitlab ;;
      *) forge=forgejo ;;
    esac
  fi
  case $forge in
    github)
      api=$origin/api/v3
      if [ "$host" = github.com ]; then api=https://api.github.com; fi
      list releases "$api/repos/$place/releases?per_page=100" 'id tag_name name html_url draft published_at created_at'
      list deployments "$api/repos/$place/deployments?per_page=100" 'id sha ref environment description transient_environment'
      leave_out_previews
      find_successes "$api/repos/$place/deployments"
      ;;
    gitlab)
      api=$origin/api/v4/projects/$(printf %s "$place" | sed 's|/|%2F|g')
      list releases "$api/releases?per_page=100" 'tag_name name released_at created_at upcoming_release commit.id _links.self'
      list deployments "$api/deployments?status=success&per_page=100" 'id sha ref created_at environment.name deployable.finished_at deployable.commit.title'
      leave_out_previews
      ;;
    forgejo | gitea)
      # They have no deployments.
      list releases "$origin/api/v1/repos/$place/releases?limit=50" 'id tag_name name html_url draft published_at created_at'
      : > "$folder/deployments"
      ;;
    *) give_up 'SHIPFEED_FORGE must be github, gitlab, forgejo or gitea' ;;
  esac
  made_of < "$folder/releases" >> "$folder/items"
  made_of < "$folder/deployments" >> "$folder/items"
}

# Reads a list of the forge, page by page, into a file of its name: the wanted members of each item, and "end".
list() {
  : > "$folder/$1"
  page=0
  while :; do
    page=$((page + 1))
    get "$2&page=$page"
    if [ "$code" != 200 ]; then
      fail "The forge did not return its $1: $(one_line "$folder/answer") ($code)"
      return
    fi
    members "$3" < "$folder/answer" > "$folder/page"
    # Some servers give fewer items in a page than they are asked for.
    if [ ! -s "$folder/page" ]; then return; fi
    cat "$folder/page" >> "$folder/$1"
    say "The forge's $1: $(grep -c '^end$' "$folder/$1")"
  done
}

# Calls the forge, and waits as long as it asks to. Sets $code; the answer goes to a file.
get() {
  while :; do
    : > "$folder/answer"
    : > "$folder/headers"
    code=$(bearer "$SHIPFEED_FORGE_TOKEN" |
      curl -q -sS -K - -o "$folder/answer" -D "$folder/headers" -w '%{http_code}' --max-time 60 \
        --retry 5 --retry-connrefused --retry-max-time 20 -H 'Accept: application/json' "$1" 2> "$folder/errors") || code=000
    if [ "$code" = 000 ]; then cp "$folder/errors" "$folder/answer"; fi
    seconds=$(seconds_to_wait)
    if [ -z "$seconds" ]; then return; fi
    say "The forge asks the script to wait $seconds s"
    sleep "$seconds"
  done
}

# Reads the headers of the last answer: the seconds to wait, or nothing.
seconds_to_wait() {
  LC_ALL=C awk -v code="$code" -v now="$(date +%s)" '
    { sub(/\r$/, "") }
    /^HTTP\// { split("", header) }
    { name = tolower($1); header[name] = $2 }
    END {
      after = header["retry-after:"]
      isLimited = header["x-ratelimit-remaining:"] == "0" || header["ratelimit-remaining:"] == "0"
      if (code != 429 && !(code == 403 && (after != "" || isLimited))) exit
      reset = header["x-ratelimit-reset:"] header["ratelimit-reset:"]
      seconds = after ~ /^[0-9]+$/ ? after + 0 : reset ~ /^[0-9]+$/ ? reset - now + 1 : 60
      if (seconds < 1) seconds = 1
      if (seconds > 3600) seconds = 3600
      print seconds
    }' "$folder/headers"
}

# Reads a JSON array of objects, and prints the wanted members of each: the name, a tab, and the value as it is in the
# JSON; then "end". Each quote ends a record, so records are alternately outside and inside strings; an escaped quote
# does not end its string.
members() {
  LC_ALL=C awk -v wanted=" $1 " '
    BEGIN { RS = "\"" }
    function emit(value) {
      if (isWanted()) print place "\t" value
    }
    function isWanted(n) {
      place = ""
      for (n = 2; n <= depth; n += 1) {
        if (kind[n] == "[") return 0
        place = place (n > 2 ? "." : "") key[n]
      }
      return depth > 1 && index(wanted, " " place " ") > 0
    }
    function flush() {
      if (scalar != "") emit(scalar)
      scalar = ""
    }
    function structure(text, n, sign) {
      for (n = 1; n <= length(text); n += 1) {
        sign = substr(text, n, 1)
        if (sign == "{" || sign == "[") {
          depth += 1
          kind[depth] = sign
          isKey = sign == "{"
        } else if (sign == "}" || sign == "]") {
          flush()
          if (depth == 2 && sign == "}") print "end"
          depth -= 1
        } else if (sign == ",") {
          flush()
          isKey = kind[depth] == "{"
        } else if (sign == ":") isKey = 0
        else if (sign !~ /[ \t\r\n]/) scalar = scalar sign
      }
    }
    !isString {
      structure($0)
      isString = 1
      isKept = isKey || isWanted()
      text = ""
      next
    }
    {
      if (isKept) text = text $0
      backslashes = match($0, /\\+$/) ? RLENGTH : 0
      if (backslashes % 2 == 1) {
        if (isKept) text = text "\""
        next
      }
      if (isKey) key[depth] = text
      else if (isKept) print place "\t\"" text "\""
      isString = 0
    }'
}

# Leaves out the deployments to environments of pull and merge requests.
leave_out_previews() {
  LC_ALL=C awk -F '\t' "$reading"'
    { text = text $0 "\n" }
    $1 == "environment" || $1 == "environment.name" {
      read_environment(substr($2, 2, length($2) - 2))
      if (is_preview || $2 ~ /^"review\//) isLeftOut = 1
    }
    ($1 == "transient_environment" && $2 == "true") || ($1 == "ref" && $2 ~ /^"refs\/(pull|merge-requests)\//) { isLeftOut = 1 }
    $1 == "end" {
      if (!isLeftOut) printf "%s", text
      text = ""
      isLeftOut = 0
    }' "$folder/deployments" > "$folder/kept"
  mv "$folder/kept" "$folder/deployments"
}

# Keeps the deployments of GitHub that have succeeded, with the instant of success, which only their statuses have.
find_successes() {
  : > "$folder/succeeded"
  LC_ALL=C awk '$1 == "id" { print $2 }' "$folder/deployments" > "$folder/ids"
  seen=0
  while read -r deployment; do
    get "$1/$deployment/statuses?per_page=100"
    if [ "$code" != 200 ]; then
      fail "The forge did not return the statuses of its deployments: $(one_line "$folder/answer") ($code)"
      break
    fi
    members 'state created_at' < "$folder/answer" |
      LC_ALL=C awk -F '\t' -v id="$deployment" '
        $1 == "state" { isSuccess = $2 == "\"success\"" }
        $1 == "created_at" { at = $2 }
        # The newest comes first, and the first success counts.
        $1 == "end" && isSuccess { first = at }
        END { if (first != "") print id "\t" first }' >> "$folder/succeeded"
    seen=$((seen + 1))
    if [ $((seen % 50)) = 0 ]; then say "Of these, looked at: $seen"; fi
  done < "$folder/ids"
  LC_ALL=C awk -F '\t' '
    NR == FNR { at[$1] = $2; next }
    { text = text $0 "\n" }
    $1 == "id" { id = $2 }
    $1 == "end" {
      if (id in at) printf "succeeded_at\t%s\n%s", at[id], text
      text = ""
    }' "$folder/succeeded" "$folder/deployments" > "$folder/successes"
  mv "$folder/successes" "$folder/deployments"
}

# Makes items of releases and deployments.
made_of() {
  LC_ALL=C awk -F '\t' -v name="$name" -v host="$host" -v page="$(page_of commit)" "$reading"'
    function value(member) {
      return got[member] == "null" || got[member] == "\"\"" ? "" : got[member]
    }
    function first(one, other) {
      return value(one) != "" ? value(one) : value(other)
    }
    function bare(text) {
      return substr(text, 2, length(text) - 2)
    }
    function member(title, text) {
      return text == "" ? "" : ",\"" title "\":" text
    }
    $1 != "end" { got[$1] = $2; next }
    {
      version = value("tag_name")
      if (version != "") {
        title = value("name")
        if (title == "" || says_only_version(bare(title), bare(version))) title = "\"" release_name(bare(version)) " released\""
        at = first("published_at", "released_at")
        if (at == "") at = value("created_at")
        isLeftOut = value("draft") == "true" || value("upcoming_release") == "true"
        rest = member("version", version) member("url", first("html_url", "_links.self")) member("commit", value("commit.id"))
      } else {
        read_environment(bare(first("environment", "environment.name")))
        title = first("description", "deployable.commit.title")
        # Railway describes each of its deployments so.
        if (title == "" || title ~ /^"Deployed to /) {
          what = component == "" || component == name ? name : name " (" component ")"
          title = "\"" what " deployed" (environment == "" ? "" : " to " environment) "\""
        }
        at = value("succeeded_at")
        if (at == "") at = first("deployable.finished_at", "created_at")
        isLeftOut = 0
        sha = bare(value("sha"))
        rest = member("environment", environment == "" ? "" : "\"" environment "\"") member("commit", value("sha"))
        rest = rest member("url", page == "" || sha == "" ? "" : "\"" page sha "\"")
        rest = rest member("key", "\"deployment:" host ":" value("id") "\"")
      }
      if (!isLeftOut && at != "") print "{\"message\":" title ",\"deployed_at\":" at rest "}"
      split("", got)
    }'
}

# Sends all items, in calls as large as the server accepts.
send_all() {
  LC_ALL=C awk -v folder="$folder" '
    count == 1000 || bytes + length($0) + 1 > 1000000 { close(file); calls += 1; count = 0; bytes = 0 }
    {
      file = sprintf("%s/call-%06d", folder, calls)
      print > file
      count += 1
      bytes += length($0) + 1
    }' "$folder/items"
  all=$(wc -l < "$folder/items" | tr -d ' ')
  if [ "$all" = 0 ]; then
    say 'There is no history. If the checkout lacks its tags: git fetch --tags'
    return
  fi
  sent=0 added=0 known=0 refused=0
  for call in "$folder"/call-*; do
    : > "$folder/answer"
    code=$(bearer "$SHIPFEED_TOKEN" |
      curl -q -sS -K - -o "$folder/answer" -w '%{http_code}' --max-time 60 \
        --retry 9 --retry-connrefused --retry-max-time 120 \
        -H 'Content-Type: application/x-ndjson' --data-binary "@$call" "$server/api/history" 2> "$folder/errors") || code=000
    if [ "$code" != 200 ]; then
      if [ "$code" = 000 ]; then cp "$folder/errors" "$folder/answer"; fi
      fail "The rest was not added: $(one_line "$folder/answer") ($code)"
      break
    fi
    if [ -z "$(number added)" ]; then
      fail "The rest was not added: something else than Shipfeed answered: $(one_line "$folder/answer")"
      break
    fi
    sent=$((sent + $(wc -l < "$call")))
    added=$((added + $(number added)))
    known=$((known + $(number known)))
    refused=$((refused + $(awk '{ n += gsub(/"index":/, "") } END { print n + 0 }' "$folder/answer")))
    say "Sent $sent of $all: $added added, $known known, $refused refused"
    reason=$(sed -n 's/.*"refused":\[{"index":[0-9]*,"details":\({[^}]*}\).*/\1/p' "$folder/answer" | cut -c 1-300)
    if [ -n "$reason" ]; then say "Refused, for example: $reason"; fi
  done
}

number() {
  sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$folder/answer"
}

main "$@"
