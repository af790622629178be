"""Facts as bytes: MessagePack, so that what is read back is data and nothing else."""

from sys import intern

import msgspec

from mu.errors import MuError
from mu.model.facts import FileFacts
from mu.model.references import References


def _pack(value: object) -> bytes:
    if isinstance(value, References):
        return value.pack()
    raise TypeError(f"facts hold no {type(value).__name__}")


def _unpack(kind: type, data: object) -> References:
    if kind is References and isinstance(data, bytes):
        return References.unpack(data)
    raise TypeError(f"{type(data).__name__} are no {kind.__name__}")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_pack)
_DECODER = msgspec.msgpack.Decoder(FileFacts, dec_hook=_unpack)


class FactsError(MuError):
    """Bytes that are no facts of this version."""


def encode_facts(facts: FileFacts) -> bytes:
    """The facts of one file as MessagePack."""
    return _ENCODER.encode(facts)


def decode_facts(data: bytes) -> FileFacts:
    """The facts that `encode_facts` wrote; `FactsError` for any other bytes.

    Equal texts of expressions are one object, which saves 20 MB on django.
    """
    try:
        facts = _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise FactsError(f"these bytes are no facts: {error}") from error
    rows = facts.expressions
    rows[:] = [(op, intern(text), base, args) for op, text, base, args in rows]
    return facts
