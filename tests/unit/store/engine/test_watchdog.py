"""One thread keeps all deadlines of a connection."""

import gc
import threading
import weakref

from mu.store.engine.watchdog import Watchdog

LONG = 30.0
SHORT = 0.01
PATIENCE = 300.0  # more than any of this takes


class Engine:
    """Work that counts how often it is interrupted."""

    def __init__(self) -> None:
        self.interrupts = 0
        self.enough = threading.Event()

    def interrupt(self) -> None:
        self.interrupts += 1
        if self.interrupts == 3:
            self.enough.set()


def watchers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "mu-deadline"]


def test_it_interrupts_again_and_again_until_the_block_is_left() -> None:
    engine = Engine()
    with Watchdog(engine.interrupt).limit(SHORT) as deadline:
        assert engine.enough.wait(PATIENCE)
    assert deadline.expired


def test_a_block_in_time_is_not_interrupted() -> None:
    engine = Engine()
    watchdog = Watchdog(engine.interrupt)
    with watchdog.limit(LONG) as deadline:
        pass
    assert (deadline.expired, engine.interrupts) == (False, 0)


def test_a_short_deadline_after_a_long_one_holds() -> None:
    engine = Engine()
    watchdog = Watchdog(engine.interrupt)
    with watchdog.limit(LONG):
        pass
    with watchdog.limit(SHORT) as deadline:
        assert engine.enough.wait(PATIENCE)
    assert deadline.expired


def test_a_long_deadline_after_a_short_one_is_not_cut() -> None:
    engine = Engine()
    watchdog = Watchdog(engine.interrupt)
    with watchdog.limit(SHORT):
        assert engine.enough.wait(PATIENCE)
    before = engine.interrupts
    with watchdog.limit(LONG) as deadline:
        pass
    assert (deadline.expired, engine.interrupts) == (False, before)


def test_the_thread_ends_when_there_is_nothing_to_watch() -> None:
    engine = Engine()
    others = set(watchers())
    with Watchdog(engine.interrupt).limit(SHORT):
        assert engine.enough.wait(PATIENCE)
        (thread,) = set(watchers()) - others
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_no_thread_is_left_when_it_is_closed() -> None:
    engine, others = Engine(), set(watchers())
    watchdog = Watchdog(engine.interrupt)
    watchdog.close()
    for _ in range(2):
        with watchdog.limit(LONG):
            assert len(set(watchers()) - others) == 1
        watchdog.close()
        assert not set(watchers()) - others


def test_a_block_that_goes_on_when_it_is_closed_is_interrupted() -> None:
    engine = Engine()
    watchdog = Watchdog(engine.interrupt)
    with watchdog.limit(SHORT) as deadline:
        watchdog.close()
        assert engine.enough.wait(PATIENCE)
    assert deadline.expired


def test_what_it_watches_may_be_freed_while_it_waits() -> None:
    engine = Engine()
    with Watchdog(engine.interrupt).limit(LONG):
        pass
    freed = weakref.ref(engine)
    del engine
    gc.collect()
    assert freed() is None
