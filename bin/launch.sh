# Sourced by the launchers, which set `root` (the checkout) and `program` (a file under packages/cli/dist/bin).
# Finds a fitting Node and becomes it, so that signals reach the program and nothing stands between it and the terminal.

# Whether `v22.22.0`-like output satisfies ^22.22.0 || >=24.11.0 (engines.node of package.json).
fits() {
  version=${1#v}
  case $version in
    *[!0-9.]* | '') return 1 ;;
  esac
  major=${version%%.*}
  rest=${version#*.}
  minor=${rest%%.*}
  if [ "$major" -eq 22 ]; then
    [ "$minor" -ge 22 ]
  elif [ "$major" -eq 24 ]; then
    [ "$minor" -ge 11 ]
  else
    [ "$major" -gt 24 ]
  fi
}

node=
if [ ! -e "$root/.tools/.installing" ]; then
  for candidate in "$root"/.tools/node_modules/node-*/bin/node; do
    if [ -x "$candidate" ]; then
      node=$candidate
      break
    fi
  done
fi
if [ -z "$node" ] && command -v node >/dev/null 2>&1 && fits "$(node --version 2>/dev/null)"; then
  node=node
fi
if [ -z "$node" ]; then
  echo "${program%.js}: no fitting Node.js (^22.22.0 || >=24.11.0) in $root/.tools or on PATH; run 'npm run setup' in $root" >&2
  exit 1
fi
if [ ! -f "$root/packages/cli/dist/bin/$program" ]; then
  echo "${program%.js}: not built yet; run 'npm run setup' in $root" >&2
  exit 1
fi
# Room for young objects: a host makes many at its start and in every burst of events.
exec "$node" --min-semi-space-size=16 "$root/packages/cli/dist/bin/$program" "$@"
