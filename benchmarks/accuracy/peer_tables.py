"""Makes the tables of other tools from `peers.json`; what a tool loses or wins stays in."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.accuracy.peers import RESULTS, Peer, load_peers
from benchmarks.accuracy.report import percent
from benchmarks.tables import format_table

Rows = Mapping[str, Mapping[str, Mapping[str, int | str]]]
_OWN = "mu"


def render_peers(path: Path = RESULTS) -> str:
    """Give the tables as Markdown; empty when no tool was run."""
    if not path.exists():
        return ""
    rows: Rows = json.loads(path.read_text(encoding="utf-8"))
    peers = load_peers()
    calling = [peer for peer in peers if peer.gives == "calls" and peer.name in rows]
    importing = [peer for peer in peers if peer.gives == "imports" and peer.name in rows]
    return "\n\n".join(
        (
            "### Other tools: of the calls that happened, how many they have",
            _found(rows, calling),
            "### Other tools: what they claim",
            _claimed(rows, calling),
            "### Imports between modules",
            *(_imports(rows, peer) for peer in importing),
        )
    )


def _found(rows: Rows, peers: Sequence[Peer]) -> str:
    tools = [_OWN, *(peer.name for peer in peers)]
    table = []
    for package, own in rows[_OWN].items():
        shares = [_share(rows[tool].get(package), "found", "pairs") for tool in tools]
        table.append((package, f"{own['pairs']:,}", *shares))
    return format_table(("package", "pairs", *(_titled(name, peers) for name in tools)), table)


def _claimed(rows: Rows, peers: Sequence[Peer]) -> str:
    notes = {peer.name: peer.note for peer in peers}
    table = []
    for tool in (_OWN, *notes):
        packages = [row for row in rows[tool].values() if "claimed" in row]
        claimed, ran, seen = (
            sum(int(row[key]) for row in packages) for key in ("claimed", "ran", "seen")
        )
        counts = (str(len(packages)), f"{claimed:,}", f"{ran:,}", percent(seen, ran))
        table.append((tool, *counts, notes.get(tool, "")))
    header = ("tool", "packages", "edges claimed", "between what ran", "seen %", "note")
    return format_table(header, table)


def _imports(rows: Rows, peer: Peer) -> str:
    table = [
        (package, f"{row['both']:,}", f"{row['only_mu']:,}", f"{row['only_peer']:,}", _agreed(row))
        for package, row in rows[peer.name].items()
        if "both" in row
    ]
    return format_table(("package", "both", "only mu", f"only {peer.name}", "agreed %"), table)


def _agreed(row: Mapping[str, int | str]) -> str:
    both = int(row["both"])
    return percent(both, both + int(row["only_mu"]) + int(row["only_peer"]))


def _share(row: Mapping[str, int | str] | None, part: str, whole: str) -> str:
    if row is None:
        return "not run"
    return "failed" if "failed" in row else percent(int(row[part]), int(row[whole]))


def _titled(name: str, peers: Sequence[Peer]) -> str:
    requirement = next((peer.requirement for peer in peers if peer.name == name), name)
    return requirement.replace("==", " ")
