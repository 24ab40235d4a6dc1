#!/bin/sh
# One POST, one stream: an agent does its work and the events come back in the response.
# Needs a host (npm start, or examples/wedge1-server.ts). HOST and TOKEN may be set; the token is this machine's by default.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
HOST=${HOST:-http://127.0.0.1:7700}
TOKEN=${TOKEN:-$("$here/../bin/computeragent" token)}
# The lines with ! are a script for the offline model; a real model is asked in plain words.
if [ -n "${ANTHROPIC_API_KEY:-}" ]; then
  ask='Write a file summary.txt that says in one line what your SOUL.md is about, then tell me what you wrote.'
else
  ask='!read SOUL.md\n!write summary.txt This agent compares documents with files.\n!say I have written summary.txt.'
fi

events=$(curl -sS -N -X POST "$HOST/v1/chat" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d "{
    \"engine\": \"claude-agent-sdk\",
    \"identity\": {\"loader\": \"gitagentprotocol\", \"source\": {\"type\": \"local\", \"path\": \"$here/agents/consistency-reviewer\"}},
    \"permissionMode\": \"auto\",
    \"options\": {\"maxTurns\": 20},
    \"messages\": [{\"role\": \"user\", \"content\": \"$ask\"}]
  }")
printf '%s\n' "$events"

# The stream must hold a result with text, and end with the session's end.
printf '%s\n' "$events" | grep '"type":"result"' | grep -q '"subtype":"success"' || { echo "no result message came" >&2; exit 1; }
printf '%s\n' "$events" | grep -q '"result":""' && { echo "the result is empty" >&2; exit 1; }
printf '%s\n' "$events" | tail -n 3 | grep -q '"reason":"complete"' || { echo "the session did not end as complete" >&2; exit 1; }
echo "ok: one call, one stream, one result" >&2
