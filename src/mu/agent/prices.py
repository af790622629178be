"""What requests cost, from a table with dates; a model that is not in it costs nobody knows what.

The table that ships is `data/prices.toml`; a user's own `prices.toml`, of the same shape, stands
before it, model by model.
"""

import datetime
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from mu.agent.values import Usage
from mu.errors import ExitCode, MuError

USER_FILE = "prices.toml"
_MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars for a million tokens, of requests with a prompt longer than `long_prompt_tokens`."""

    model: str
    effective_from: datetime.date
    input: float
    output: float
    cache_read: float
    cache_write: float
    long_prompt_tokens: int = 0


class Retired(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model that is answered no more since a day."""

    model: str
    on: datetime.date


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    price: list[Price] = []
    retired: list[Retired] = []


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices on one day."""

    rows: tuple[Price, ...]
    retired: tuple[Retired, ...]

    def cost(self, model: str, usage: Usage) -> float | None:
        """Give the dollars of one request; None when the model's price is not known."""
        prompt = usage.input + usage.cache_read + usage.cache_write
        fitting = [
            row
            for row in self.rows
            if row.model == model and row.long_prompt_tokens < max(1, prompt)
        ]
        if not fitting:
            return None
        row = max(fitting, key=lambda row: (row.long_prompt_tokens, row.effective_from))
        dollars = (
            usage.input * row.input
            + usage.output * row.output
            + usage.cache_read * row.cache_read
            + usage.cache_write * row.cache_write
        )
        return dollars / _MILLION

    def retired_on(self, model: str) -> datetime.date | None:
        """Give the day since when a model is gone, None while it is there or not known."""
        return next((row.on for row in self.retired if row.model == model), None)


def load_prices(today: datetime.date, *, user_folder: Path | None = None) -> Prices:
    """Read the prices of a day; raises MuError (usage) for a user's file that is wrong."""
    shipped = files("mu.agent").joinpath("data", USER_FILE).read_bytes()
    table = msgspec.toml.decode(shipped, type=_Table)
    own = _Table() if user_folder is None else _read_own(user_folder / USER_FILE)
    named = {row.model for row in own.price}
    rows = [*own.price, *(row for row in table.price if row.model not in named)]
    begun = tuple(row for row in rows if row.effective_from <= today)
    gone = tuple(row for row in (*own.retired, *table.retired) if row.on <= today)
    return Prices(begun, gone)


def _read_own(path: Path) -> _Table:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_Table)
    except FileNotFoundError:
        return _Table()
    except (OSError, ValueError) as error:
        raise MuError(
            f"cannot use {path.name}: {error}",
            "it has the shape of the table in the agent's guide",
            ExitCode.USAGE,
        ) from error
