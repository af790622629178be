"""Findings as SARIF 2.1.0, the format in which code hosts and editors take results of analyses.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020. Places are
relative to the root of the repository, and nothing names a place on this machine.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import quote

from mu.render.text import visible_json

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at: the id of the rule, how grave it is, what, and where.

    `level` is `error`, `warning` or `note`. `line` is 0 where the whole file is meant. `related`
    are other places, each with what it has to do with the finding.
    """

    rule: str
    level: str
    message: str
    path: str
    line: int = 0
    related: tuple[tuple[str, int, str], ...] = ()


def sarif_document(findings: Sequence[Finding], *, rules: Mapping[str, str], version: str) -> str:
    """Write findings as one document; `rules` say what each rule means, by its id."""
    names = list(rules)
    document = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mu",
                        "version": version,
                        "rules": [
                            {"id": name, "shortDescription": {"text": text}}
                            for name, text in rules.items()
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, names.index(finding.rule)) for finding in findings],
            }
        ],
    }
    return visible_json(json.dumps(document, indent=2)) + "\n"


def _result(finding: Finding, place: int) -> dict[str, object]:
    mark = f"{finding.rule}\0{finding.path}\0{finding.message}"
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": place,
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.line)],
        "partialFingerprints": {"mu/v1": blake2b(mark.encode(), digest_size=16).hexdigest()},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(path, line), "message": {"text": text}}
            for number, (path, line, text) in enumerate(finding.related, 1)
        ]
    return result


def _location(path: str, line: int) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": quote(path), "uriBaseId": "%SRCROOT%"}}
    if line:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}
