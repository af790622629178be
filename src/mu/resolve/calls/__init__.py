"""Calls: binding of arguments, overloads, callbacks, decorators, results."""
