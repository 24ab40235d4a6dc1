#!/bin/sh
# The long-lived session: create, follow, send messages, answer a permission, resume the stream, end.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
HOST=${HOST:-http://127.0.0.1:7700}
TOKEN=${TOKEN:-$("$here/../bin/computeragent" token)}
dir=$(mktemp -d)
follower=
trap 'if [ -n "$follower" ]; then kill "$follower" 2>/dev/null || true; fi; rm -rf "$dir"' EXIT

api() { # METHOD PATH [BODY]
  if [ $# -gt 2 ]; then
    curl -sS -f -X "$1" "$HOST$2" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d "$3"
  else
    curl -sS -f -X "$1" "$HOST$2" -H "Authorization: Bearer $TOKEN"
  fi
}
wait_for() { # TEXT
  tries=0
  until grep -q -- "$1" "$dir/events"; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { echo "did not see $1" >&2; cat "$dir/events" >&2; exit 1; }
    sleep 0.1
  done
}

if [ -n "${ANTHROPIC_API_KEY:-}" ]; then
  first='Say in one sentence who you are.'
  second='Write the word done into notes.txt in your working directory.'
else
  first='!say I compare documents with files.'
  second='!write notes.txt done\n!say It is written.'
fi

created=$(api POST /v1/sessions "{
  \"engine\": \"claude-agent-sdk\",
  \"identity\": {\"loader\": \"gitagentprotocol\", \"source\": {\"type\": \"local\", \"path\": \"$here/agents/consistency-reviewer\"}}
}")
echo "$created"
id=$(printf '%s' "$created" | sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p')

curl -sS -N "$HOST/v1/sessions/$id/events" -H "Authorization: Bearer $TOKEN" >"$dir/events" 2>/dev/null &
follower=$!

api POST "/v1/sessions/$id/messages" "{\"message\": {\"role\": \"user\", \"content\": \"$first\"}}"
echo
wait_for 'event: ca_turn_ended'

# The second turn wants to write a file: nothing runs before somebody answers.
api POST "/v1/sessions/$id/messages" "{\"message\": {\"role\": \"user\", \"content\": \"$second\"}}"
echo
wait_for 'event: ca_permission_request'
call=$(api GET "/v1/sessions/$id/permissions" | sed -n 's/.*"callId":"\([^"]*\)".*/\1/p')
echo "allowing $call"
api POST "/v1/sessions/$id/permission/$call" '{"decision": "allow"}'
echo
tries=0
until [ "$(grep -c 'event: ca_turn_ended' "$dir/events")" -ge 2 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || { echo "the second turn did not end" >&2; exit 1; }
  sleep 0.1
done
[ "$(api GET "/v1/sessions/$id/fs/file?path=notes.txt")" = "done" ] || { echo "notes.txt was not written" >&2; exit 1; }

# Whoever reconnects with the last id it saw gets only what is new.
last=$(sed -n 's/^id: //p' "$dir/events" | tail -n 1)
api POST "/v1/sessions/$id/end-input" >/dev/null
wait "$follower" || true
follower=
echo "--- after id $last:"
curl -sS -N "$HOST/v1/sessions/$id/events" -H "Authorization: Bearer $TOKEN" -H "Last-Event-ID: $last" | tee "$dir/rest"
grep -q '"reason":"complete"' "$dir/rest" || { echo "the session did not end as complete" >&2; exit 1; }
[ "$(sed -n 's/^id: //p' "$dir/rest" | head -n 1)" = "$((last + 1))" ] || { echo "the replay does not begin after $last" >&2; exit 1; }
api DELETE "/v1/sessions/$id" >/dev/null
echo "ok: two turns, one permission, one replay" >&2
