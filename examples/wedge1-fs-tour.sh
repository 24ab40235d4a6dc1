#!/bin/sh
# The workspace over HTTP: an agent makes files, curl lists, reads, edits, moves and deletes them.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
HOST=${HOST:-http://127.0.0.1:7700}
TOKEN=${TOKEN:-$("$here/../bin/computeragent" token)}

api() { # METHOD PATH [BODY]
  if [ $# -gt 2 ]; then
    curl -sS -f -X "$1" "$HOST$2" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d "$3"
  else
    curl -sS -f -X "$1" "$HOST$2" -H "Authorization: Bearer $TOKEN"
  fi
}
expect() { # WHAT ACTUAL WANTED
  [ "$2" = "$3" ] || { echo "$1: got '$2', wanted '$3'" >&2; exit 1; }
}

if [ -n "${ANTHROPIC_API_KEY:-}" ]; then
  ask='Write a file report/draft.txt in your working directory whose only line is: first draft'
else
  ask='!write report/draft.txt first draft\n!say The draft is there.'
fi
id=$(api POST /v1/sessions "{
  \"engine\": \"claude-agent-sdk\",
  \"identity\": {\"loader\": \"gitagentprotocol\", \"source\": {\"type\": \"local\", \"path\": \"$here/agents/consistency-reviewer\"}},
  \"permissionMode\": \"auto\",
  \"attachments\": [{\"path\": \"input/note.txt\", \"content\": \"an attachment\"}],
  \"messages\": [{\"role\": \"user\", \"content\": \"$ask\"}]
}" | sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p')
files="/v1/sessions/$id/fs"
tries=0
until api GET "/v1/sessions/$id" | grep -q '"status":"idle"'; do
  call=$(api GET "/v1/sessions/$id/permissions" | sed -n 's/.*"callId":"\([^"]*\)".*/\1/p')
  [ -z "$call" ] || api POST "/v1/sessions/$id/permission/$call" '{"decision": "allow"}' >/dev/null
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || { echo "the agent did not finish" >&2; exit 1; }
  sleep 0.1
done

echo "--- tree"; api GET "$files/tree?depth=3"; echo
echo "--- what the agent wrote"; api GET "$files/file?path=report/draft.txt"; echo
expect attachment "$(api GET "$files/file?path=input/note.txt")" "an attachment"
echo "--- write"
curl -sS -f -X PUT "$HOST$files/file?path=report/extra.txt" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/octet-stream" --data-binary 'one two three'
echo; echo "--- edit"; api POST "$files/edit" '{"path": "report/extra.txt", "old_string": "two", "new_string": "2"}'
expect edit "$(api GET "$files/file?path=report/extra.txt")" "one 2 three"
expect range "$(curl -sS -f -H 'Range: bytes=0-2' "$HOST$files/file?path=report/extra.txt" -H "Authorization: Bearer $TOKEN")" "one"
echo; echo "--- mkdir and move"
api POST "$files/mkdir" '{"path": "archive/2026", "recursive": true}'
api POST "$files/move" '{"from": "report/extra.txt", "to": "archive/2026/extra.txt"}'
expect move "$(api GET "$files/file?path=archive/2026/extra.txt")" "one 2 three"
echo; echo "--- delete"; api DELETE "$files/file?path=archive&recursive=true"
status=$(curl -sS -o /dev/null -w '%{http_code}' "$HOST$files/file?path=archive/2026/extra.txt" -H "Authorization: Bearer $TOKEN")
expect deleted "$status" 404
status=$(curl -sS -o /dev/null -w '%{http_code}' "$HOST$files/file?path=../../host-token" -H "Authorization: Bearer $TOKEN")
expect jail "$status" 400
api DELETE "/v1/sessions/$id" >/dev/null
echo; echo "ok: the workspace over HTTP" >&2
