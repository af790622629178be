#!/usr/bin/env bash
# Build the graphs of networkx and of MU itself, and ask them questions; `mu` is on PATH.
set -euo pipefail
cd "$(dirname "$0")/.."

networkx=.demo/networkx
rm -rf "$networkx" && mkdir -p "$networkx"
installed=$(python -c 'import networkx, pathlib; print(pathlib.Path(networkx.__file__).parent)')
cp -R "$installed" "$networkx/" # a copy, because the graph is written beside the sources

run() {
  local argument
  printf '\n$ mu'
  for argument; do
    case $argument in *[!A-Za-z0-9_./:-]*) argument="\"$argument\"" ;; esac
    printf ' %s' "$argument"
  done
  printf '\n'
  mu "$@"
}

echo "== networkx, as it is installed"
run kernel build "$networkx"
cd "$networkx"
run query 'SELECT name, path, complexity FROM functions ORDER BY complexity DESC LIMIT 5'
run callers networkx.algorithms.components.connected.connected_components --limit 8
run impact LRPlanarity.lr_planarity --limit 8
run ancestors networkx.algorithms.planarity.is_planar --limit 8
run path draw_planar LRPlanarity.lr_planarity
run cycles
run agent ask --provider offline "what tests bidirectional_dijkstra?"
run agent ask --provider offline "what would break if I changed draw_planar?"
cd "$OLDPWD"

echo
echo "== MU itself"
run kernel build .
run callers mu.bundle.grammars
run path mu.cli.graph_file.kernel.build mu.store.writing.publish
run query 'SELECT kind, count(*) AS edges FROM edges GROUP BY kind ORDER BY edges DESC'
