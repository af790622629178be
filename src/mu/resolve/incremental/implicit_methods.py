"""Methods that a language calls where no text names them: by operators, loops, subscripts."""

from itertools import chain

from mu.resolve.semantics.language_rules import LanguageRules

_OPERATORS = (
    *("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", ">>>", "~", "!", "&&"),
    *("==", "!=", "===", "!==", "<", "<=", ">", ">=", "<=>", "in", "not in", "not", "is"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "?", "..", "||"),
    *("if", "format", "repr", "&mut", "typeof"),
)


def implicit_methods(rules: LanguageRules) -> frozenset[str]:
    """The names of the methods that a language calls by itself, but for constructors."""
    lists = (
        rules.implicit.enter_methods,
        rules.implicit.iterate_methods,
        rules.implicit.key_methods,
        rules.implicit.next_methods,
        rules.implicit.more_methods,
        rules.implicit.leave_methods,
        rules.calls.completing_methods,
        *chain.from_iterable(rules.implicit.async_methods.items()),
        *(side for text in _OPERATORS for side in rules.implicit.operator_methods(text)),
        *(rules.implicit.prefix_methods(text) for text in _OPERATORS),
    )
    single = (
        rules.calls.call_method,
        rules.implicit.index_method,
        rules.implicit.class_index_method,
        rules.implicit.missing_method,
        rules.implicit.set_index_method,
        rules.implicit.delete_index_method,
        rules.implicit.get_method,
        rules.implicit.set_method,
        rules.implicit.delete_method,
        rules.implicit.set_attribute_method,
        rules.implicit.delete_attribute_method,
        rules.implicit.set_name_method,
        rules.implicit.subclass_hook,
        rules.implicit.await_method,
        rules.members.deref_method,
        rules.implicit.error_conversion,
        rules.members.fallback_member,
    )
    return frozenset(chain(single, *lists)) - {"", *rules.calls.constructors}


def is_implicit(rules: LanguageRules, name: str) -> bool:
    """Whether a language calls methods of a name by itself."""
    if name in rules.calls.constructors:
        return False
    return rules.implicit.is_common_method(name) or name in implicit_methods(rules)
