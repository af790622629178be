"""Programs that were once not linked in full, as short as they could be made."""

FOUND: dict[str, dict[str, str]] = {
    "a block binds the name of an earlier loop": {
        "a.py": (
            "def f(xs, dim):\n    for a in xs:\n        print([d for d in a.dims])\n"
            "    if dim:\n        for a in xs:\n            print(a.dims)\n"
            "    return [[d for d in a.dims] for a in xs]\n"
        )
    },
    "an alias of types names itself several times": {
        "a.py": "X = list[X]\nX = dict[X, X]\nX = X | list[X]\ndef f(a: X):\n    a.b()\n"
    },
    "a class without a name extends what its variable held": {
        "a.js": "const a = (function (B) {\n  x.map(x => (B = class extends new B() {}));\n});\n"
    },
    "what is unpacked is read out of itself": {"a.js": "const { g, ...b } = b[0]?.x;\n"},
    "a type parameter is bounded by its own member": {
        "A.java": "class A<G extends Function<G.A, Object[]>> extends X<G.A> implements X {}\n"
    },
    "a clause of a comprehension stands alone": {"a.py": "a=[for b in lambda:[[]for in*].a\n"},
    "classes extend what each other's files import": {
        "one/A.java": "import one.X.*interface A extends List{",
        "one/B.java": "import java.*import one.A.*class X extends Map{",
    },
    "classes extend each other": {
        "one.js": "B()import{B}from'/two'",
        "two.js": "class g extends B{(g.assign(B.prototype,A);}class B extends(g){",
    },
    "an enumeration breaks off": {
        "A.java": (
            "enum X implements var {\n    A(b.x), B { static X[] f(Object f) { return 1; } };\n"
            "        this.go = f.x(this);\n        switch (b.f) {\n"
            "                this.f = go(this);\n}\n"
        )
    },
    "a function breaks off at the end of its file": {
        "a.go": (
            "func G(G interface{ Go() sub.G }) sub.f {\n\tif A := x; a != nil {\n"
            "\t\tif a := &b{}; a != nil {\n\t\t\tG[func() {\n\t\t}\n\t}\n}\n"
        )
    },
    "two implementations have a type of one name": {
        "src/lib.rs": (
            "struct G;\nimpl Add for G {\n    type Output = G;\n}\n"
            "impl Sub for G {\n    type Output = G;\n}\n"
        )
    },
    "a variant is looked for in a tuple": {
        "src/lib.rs": "fn f() {\n    while let A(x) = (a, a) {\n        x();\n    }\n}\n"
    },
    "an implementation is for what has no name": {
        "src/lib.rs": (
            "impl<B> A<B> {\n    const B: [String] = *Box::new(move |a: m::A, x| {\n    });\n}\n"
            "static A: B = |x| Self { f: 1 }.go(x::<u8>({\n}));\n"
        )
    },
    "a path begins at no crate": {"src/two/mod.rs": "use ::a::B;\n"},
}
