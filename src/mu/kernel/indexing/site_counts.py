"""Count references by outcome: resolved, external, ambiguous, dynamic, unknown."""

from collections import Counter
from collections.abc import Sequence

from mu.kernel.report import SiteCounts
from mu.model.graph import Site
from mu.model.kinds import Reason
from mu.model.packed_rows import REASONS, PackedSites


def count_sites(sites: Sequence[Site]) -> SiteCounts:
    """Count references by outcome."""
    packed = PackedSites.of(sites)
    firsts = (
        code for code, choice in zip(packed.reasons, packed.choices, strict=True) if choice == 0
    )
    by_reason = {REASONS[code]: count for code, count in Counter(firsts).items()}
    return SiteCounts.of(
        resolved=by_reason.get(None, 0),
        external=by_reason.get(Reason.EXTERNAL, 0),
        ambiguous=by_reason.get(Reason.AMBIGUOUS, 0),
        dynamic=by_reason.get(Reason.DYNAMIC, 0),
        unknown=by_reason.get(Reason.UNKNOWN, 0),
    )


def recount_sites(
    counts: SiteCounts, *, before: Sequence[Site], after: Sequence[Site]
) -> SiteCounts:
    """Adjust counts where references `before` were replaced by those `after`."""
    was, now = count_sites(before), count_sites(after)
    return SiteCounts.of(
        resolved=counts.resolved + now.resolved - was.resolved,
        external=counts.external + now.external - was.external,
        ambiguous=counts.ambiguous + now.ambiguous - was.ambiguous,
        dynamic=counts.dynamic + now.dynamic - was.dynamic,
        unknown=counts.unknown + now.unknown - was.unknown,
    )
