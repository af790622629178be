"""Methods that a language calls where no text names them: by operators, loops, subscripts."""

from itertools import chain

from mu.resolve.program.language_rules import LanguageRules

_OPERATORS = (
    *("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", ">>>", "~", "!", "&&"),
    *("==", "!=", "===", "!==", "<", "<=", ">", ">=", "<=>", "in", "not in", "not", "is"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "?", "..", "||"),
    *("if", "format", "repr", "&mut", "typeof"),
)


def implicit_methods(rules: LanguageRules) -> frozenset[str]:
    """The names of the methods that a language calls by itself, but for constructors."""
    lists = (
        rules.enter_methods,
        rules.iterate_methods,
        rules.key_methods,
        rules.next_methods,
        rules.more_methods,
        rules.leave_methods,
        rules.completing_methods,
        *chain.from_iterable(rules.async_methods.items()),
        *(side for text in _OPERATORS for side in rules.operator_methods(text)),
        *(rules.prefix_methods(text) for text in _OPERATORS),
    )
    single = (
        rules.call_method,
        rules.index_method,
        rules.class_index_method,
        rules.missing_method,
        rules.set_index_method,
        rules.delete_index_method,
        rules.get_method,
        rules.set_method,
        rules.delete_method,
        rules.set_attribute_method,
        rules.delete_attribute_method,
        rules.named_method,
        rules.extended_method,
        rules.await_method,
        rules.pointing_method,
        rules.converting_method,
        rules.open_member,
    )
    return frozenset(chain(single, *lists)) - {"", *rules.constructors}


def is_implicit(rules: LanguageRules, name: str) -> bool:
    """Whether a language calls methods of a name by itself."""
    if name in rules.constructors:
        return False
    return rules.is_common_method(name) or name in implicit_methods(rules)
