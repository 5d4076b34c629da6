#!/usr/bin/env bash
# The steps of action.yml: `program` finds the command, `run` runs it, `comment` writes the change to the pull request. All that it is
# told is in the environment, and never in the text of a script.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${RUNNER_TEMP:?}/cdk8s-load-balancers
mkdir -p "$work"

# the version that is asked for, or the one of this action if its reference is a release, comes from npm; any other reference is built
program() {
  # shellcheck disable=SC2153
  local version=${VERSION#v}
  if [[ -z $version && ${ACTION_REF:-} =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    version=${ACTION_REF#v}
  fi
  if [[ -n $version ]]; then
    npm install --silent --no-save --prefix "$work" "cdk8s-load-balancers@$version"
    echo "program=$work/node_modules/cdk8s-load-balancers/bin/cdk8s-load-balancers" >>"$GITHUB_OUTPUT"
    return
  fi
  "$here/scripts/prepare.js"
  echo "program=$here/bin/cdk8s-load-balancers" >>"$GITHUB_OUTPUT"
}

# a clone of one commit lacks the older side
fetch_base() {
  git rev-parse --quiet --verify "$BASE^{commit}" >/dev/null || git fetch --quiet --depth=1 origin "$BASE"
  if ! git rev-parse --quiet --verify "$BASE^{commit}" >/dev/null; then
    BASE=$(git rev-parse FETCH_HEAD)
  fi
}

# writes the exit code to its outputs and ends with 0: what follows a mistake still runs
run() {
  local code=0 words=("$COMMAND") paths=() again=()
  # shellcheck disable=SC2153
  while IFS= read -r path; do
    [[ -z $path ]] || paths+=("$path")
  done <<<"$PATHS"
  [[ ${#paths[@]} != 0 ]] || paths=(.)
  [[ $COMMAND == report ]] || words+=(--fail-on "$FAIL_ON")
  case $COMMAND in
    check)
      again=(--format sarif --output "$work/results.sarif")
      words+=(--format github)
      ;;
    diff)
      if [[ -z $BASE || $BASE =~ ^0+$ ]]; then
        echo '::error::diff has no base revision: this event is no pull request and no push onto an older commit; set the input base'
        exit 2
      fi
      fetch_base
      words+=(--git "$BASE")
      again=(--format markdown --output "$work/comment.md")
      # paths of the repository, all by default
      [[ ${paths[*]} != . ]] || paths=()
      words+=(--format github)
      ;;
    report)
      words+=(--format markdown --output "$work/comment.md")
      ;;
    *)
      echo "::error::command must be check, diff or report, and is '${COMMAND//[$'\r\n']/ }'"
      exit 2
      ;;
  esac
  node "$PROGRAM" "${words[@]}" -- ${paths[@]+"${paths[@]}"} || code=$?
  if ((code < 2)) && [[ ${#again[@]} != 0 ]]; then
    node "$PROGRAM" "${words[@]}" "${again[@]}" -- ${paths[@]+"${paths[@]}"} || true
  fi
  [[ ! -f $work/comment.md ]] || cat "$work/comment.md" >>"$GITHUB_STEP_SUMMARY"
  {
    echo "exit-code=$code"
    [[ ! -f $work/results.sarif ]] || echo "sarif=$work/results.sarif"
    [[ ! -f $work/comment.md ]] || echo "markdown=$work/comment.md"
  } >>"$GITHUB_OUTPUT"
}

api() {
  curl --silent --show-error --fail --header "Authorization: Bearer $GITHUB_TOKEN" --header 'Accept: application/vnd.github+json' "$@"
}

# one comment for each job, found by its first line
comment() {
  local marker="<!-- cdk8s-load-balancers ${GITHUB_JOB:-} -->" url=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
  local page=0 found='' some=() comments
  # a comment holds 65,536 characters
  jq --null-input --arg marker "$marker" --rawfile text "$work/comment.md" \
    '{ body: ($marker + "\n### Load balancers\n\n" + if ($text | length) > 65000 then $text[:64000] + "\n\n…cut: the summary of the run has all" else $text end) }' \
    >"$work/body.json"
  while [[ -z $found ]]; do
    page=$((page + 1))
    comments=$(api "$url/$PULL_REQUEST/comments?per_page=100&page=$page") || { refused; return; }
    [[ $(jq length <<<"$comments") != 0 ]] || break
    found=$(jq --arg marker "$marker" 'map(select(.body | startswith($marker)))[0].id // empty' <<<"$comments")
  done
  if [[ -n $found ]]; then
    some=(--request PATCH "$url/comments/$found")
  else
    some=(--request POST "$url/$PULL_REQUEST/comments")
  fi
  api --output "$work/answer.json" --data "@$work/body.json" "${some[@]}" || refused
}

# a pull request of a fork has a token that only reads
refused() {
  echo '::warning::the comment is not written: the job needs the permission pull-requests: write, which pull requests of forks do not get'
}

case ${1:-} in
  program | run | comment) "$1" ;;
  *) echo "usage: run.sh program | run | comment" >&2; exit 2 ;;
esac
