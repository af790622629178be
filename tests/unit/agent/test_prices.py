"""What requests cost."""

import datetime
from pathlib import Path

import pytest

from mu.agent import Usage
from mu.agent.prices import load_prices
from mu.errors import MuError

TODAY = datetime.date(2026, 11, 21)


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("claude-haiku-5-5", Usage(1_000, 1_000), 0.0006),
        ("claude-haiku-5-5", Usage(100_000, 0), 0.01),
        ("claude-haiku-5-5", Usage(100_001, 0), 0.0500005),
        ("claude-haiku-5-5", Usage(1, 0, 60_000, 50_000), 0.04),
        ("claude-haiku-4-5", Usage(1_000_000, 0), 1.0),
        ("another", Usage(1, 1), None),
    ],
)
def test_cost_of_a_request(model: str, usage: Usage, dollars: float | None) -> None:
    cost = load_prices(TODAY).cost(model, usage)

    assert cost == (None if dollars is None else pytest.approx(dollars, rel=1e-4))


def test_a_price_holds_from_its_day_on() -> None:
    early = load_prices(datetime.date(2026, 10, 6))

    assert early.cost("claude-haiku-5-5", Usage(1, 1)) is None
    assert early.cost("claude-haiku-4-5", Usage(1, 1)) is not None


def test_a_users_own_price_stands_before_the_one_that_ships(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(
        '[[price]]\nmodel = "claude-haiku-5-5"\neffective_from = 2026-01-01\n'
        "input = 9.0\noutput = 9.0\ncache_read = 9.0\ncache_write = 9.0\n"
    )

    prices = load_prices(TODAY, user_folder=tmp_path)

    assert prices.cost("claude-haiku-5-5", Usage(1_000_000, 0)) == pytest.approx(9.0)


def test_a_users_table_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text("[[price]]\nmodel = 1\n")

    with pytest.raises(MuError, match=r"cannot use prices\.toml"):
        load_prices(TODAY, user_folder=tmp_path)


def test_a_retired_model_is_known_from_its_day_on() -> None:
    day = datetime.date(2026, 2, 19)

    assert load_prices(TODAY).retired_on("claude-3-5-haiku-latest") == day
    assert load_prices(TODAY).retired_on("claude-haiku-5-5") is None
    assert load_prices(datetime.date(2026, 2, 18)).retired_on("claude-3-5-haiku-latest") is None
