import msgspec
import pytest

from mu.lexical import definition_words
from mu.model.facts import FileFacts
from mu.syntax import Extractor, FactsDecoder, FactsError, decode_facts, encode_facts

SOURCE = b'''"""A file."""
from a import b as c

class K(c, metaclass=M):
    x: "int" = 1

    @property
    async def m(self, *args: int, k=[1]) -> str:
        del args
        return self.x if k else "text"

x = = 1  # a slip
'''


def facts() -> FileFacts:
    return Extractor().extract(SOURCE, "python")


def test_facts_come_back_as_they_went() -> None:
    made = msgspec.structs.replace(facts(), words=definition_words(facts()))
    read = decode_facts(encode_facts(made))

    assert read == made
    # No Python file says which package it belongs to, none speaks to tools in lines of
    # its own, and none says who may use its names.
    unsaid = ("package", "directives", "visibilities")
    names = [name for name in FileFacts.__struct_fields__ if name not in unsaid]
    assert all(getattr(made, name) for name in names)
    assert type(read.definitions[0]) is type(made.definitions[0])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"garbage",
        b"\xc1",
        b"\x00" * 100,
        msgspec.msgpack.encode({"docstring": ""}),
        msgspec.msgpack.encode(["", "1", [], [], [], [], [], [], []]),
        msgspec.msgpack.encode(["", 1, [[9, 0, 0, 1, 1]], [], [], [], [], [], []]),
        msgspec.msgpack.encode(["", 1, [], [], []]),
        msgspec.msgpack.encode(["", 1, [], [], [], [], [], b"1234", []]),
        msgspec.msgpack.encode(["", 1, [], [], [], [], [], [[0, 0, 0, 0]], []]),
    ],
)
def test_other_bytes_are_an_error(data: bytes) -> None:
    with pytest.raises(FactsError, match=r"^cannot decode facts: "):
        decode_facts(data)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_facts_cut_short_are_an_error(share: float) -> None:
    data = encode_facts(facts())

    with pytest.raises(FactsError):
        decode_facts(data[: int(len(data) * share)])


def test_equal_texts_and_arguments_are_one_object_in_all_files() -> None:
    decoder = FactsDecoder()
    read = [decoder.decode(encode_facts(facts())) for _ in range(2)]

    texts = [row[1] for one in read for row in one.expressions]
    texts += [row.name for one in read for row in one.bindings]
    arguments = [row[3] for one in read for row in one.expressions]
    assert len({id(text) for text in texts}) == len(set(texts))
    assert len({id(row) for row in arguments}) == len(set(arguments)) > 1
