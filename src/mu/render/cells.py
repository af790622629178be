"""One cell of an answer as text, the same in every format that is text."""

from mu.model.relation import Cell


def cell_text(cell: Cell) -> str:
    """Give the cell as plain text: nothing for NULL, `true` and `false`, lists by commas.

    Numbers with a fraction have at most six digits. The text is not escaped yet.
    """
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case float():
            return f"{cell:.6g}"
        case str():
            return cell
        case int():
            return str(cell)
        case _:
            return ", ".join(cell_text(item) for item in cell)
