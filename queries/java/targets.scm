; What a binding's left side unpacks into: Java has no such.
