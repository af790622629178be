"""Facts as bytes: MessagePack, so that what is read back is data and nothing else."""

import msgspec

from mu.errors import MuError
from mu.model.facts import FileFacts

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(FileFacts)


class FactsError(MuError):
    """Bytes that are no facts of this version."""


def encode_facts(facts: FileFacts) -> bytes:
    """The facts of one file as MessagePack."""
    return _ENCODER.encode(facts)


def decode_facts(data: bytes) -> FileFacts:
    """The facts that `encode_facts` wrote; `FactsError` for any other bytes."""
    try:
        return _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise FactsError(f"these bytes are no facts: {error}") from error
