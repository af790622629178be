"""Prints how much of what is claimed is right, and how much of what is there was found."""


def print_shares(kind: str, *, right: int, claimed: int, found: int, expected: int) -> None:
    """Print both shares of one kind of edge, with what they are of."""
    of_claimed = f"right {right} of {claimed} ({100 * right / max(claimed, 1):.1f} %)"
    print(f"{kind:16} {of_claimed}, {_found(found, expected)}")


def print_found(kind: str, *, found: int, expected: int) -> None:
    """Print the share that was found, where what is claimed beside it cannot be judged."""
    print(f"{kind:16} {_found(found, expected)}")


def _found(found: int, expected: int) -> str:
    return f"found {found} of {expected} ({100 * found / max(expected, 1):.1f} %)"
