"""The characters that are left of a budget."""

from dataclasses import dataclass


@dataclass(slots=True)
class Room:
    """What is left of `whole` characters; never less than none."""

    whole: int
    left: int

    def replace(self, old: str, new: str) -> bool:
        """Take room for a text in the place of another; False, and none taken, without enough."""
        more = len(new) - len(old)
        if more > self.left:
            return False
        self.left -= more
        return True
