"""The engine's syntax tree of a SELECT, as the JSON it gives."""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]
