-- The tables of a .mubase. Keys are places in the order of rows; there are no indexes, because a
-- scan of a column costs a few milliseconds where an index triples the file (measured).

CREATE TYPE file_category AS ENUM (
    'source', 'test', 'generated', 'vendored', 'minified'
);
CREATE TYPE node_kind AS ENUM (
    'module', 'class', 'function', 'variable', 'document', 'section', 'external'
);
CREATE TYPE edge_kind AS ENUM (
    'contains', 'imports', 'calls', 'inherits', 'overrides', 'uses', 'tests', 'links',
    'mentions'
);
CREATE TYPE resolution_rule AS ENUM (
    'local', 'module', 'import', 'self', 'inherited', 'super', 'typed', 'inferred', 'returned',
    'callback', 'virtual', 'registered', 'shape', 'symbol', 'package', 'unique-name', 'syntax'
);
CREATE TYPE entry_role AS ENUM (
    'main', 'script', 'test', 'fixture', 'route', 'command', 'task', 'receiver', 'hook', 'override'
);
CREATE TYPE site_kind AS ENUM (
    'import', 'call', 'base', 'annotation', 'decorator', 'value', 'link', 'mention'
);
CREATE TYPE site_reason AS ENUM (
    'external', 'ambiguous', 'dynamic', 'unknown'
);

CREATE TABLE meta (
    name VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE meta IS 'What made this file, and from what.';
COMMENT ON COLUMN meta.name IS 'The name of the fact: schema, mu_version, digest and the like.';
COMMENT ON COLUMN meta.value IS 'Its value, as text.';

CREATE TABLE file (
    key INTEGER NOT NULL,
    path VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    category file_category NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    bytes INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    problems VARCHAR[] NOT NULL
);
COMMENT ON TABLE file IS 'Every file that was seen, indexed or skipped.';
COMMENT ON COLUMN file.key IS
    'The file''s place in the order of paths, from 0; files that came later have the next numbers.';
COMMENT ON COLUMN file.path IS 'Path relative to the root, with /.';
COMMENT ON COLUMN file.language IS 'The language''s name; empty when the file has none.';
COMMENT ON COLUMN file.category IS 'source, test, generated, vendored or minified; minified JavaScript is not read.';
COMMENT ON COLUMN file.status IS 'indexed or skipped.';
COMMENT ON COLUMN file.reason IS 'Why it was skipped; empty when it was indexed.';
COMMENT ON COLUMN file.digest IS
    'BLAKE2b-128 of the bytes that were parsed, in hex; empty when none were.';
COMMENT ON COLUMN file.bytes IS 'Size on disk, in bytes.';
COMMENT ON COLUMN file.lines IS 'Number of lines.';
COMMENT ON COLUMN file.problems IS 'What the parser could not read, as line: what.';

CREATE TABLE node (
    key INTEGER NOT NULL,
    id VARCHAR NOT NULL USING COMPRESSION zstd,
    kind node_kind NOT NULL,
    subkind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    qualified_name VARCHAR NOT NULL USING COMPRESSION zstd,
    module VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    file INTEGER,
    parent INTEGER,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    signature VARCHAR NOT NULL,
    docstring VARCHAR NOT NULL,
    visibility VARCHAR NOT NULL,
    is_async BOOLEAN NOT NULL,
    is_static BOOLEAN NOT NULL,
    is_abstract BOOLEAN NOT NULL,
    is_test BOOLEAN NOT NULL,
    is_generated BOOLEAN NOT NULL,
    decorators VARCHAR[] NOT NULL,
    parameters VARCHAR[] NOT NULL,
    returns VARCHAR NOT NULL,
    complexity INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    digest VARCHAR NOT NULL
);
COMMENT ON TABLE node IS 'Every node of the graph, in the order of keys.';
COMMENT ON COLUMN node.key IS 'The node''s number, from 0; its identity inside this file only.';
COMMENT ON COLUMN node.id IS 'The node''s public id, such as fn:src/app/auth.py:login.';
COMMENT ON COLUMN node.kind IS 'module, class, function, variable, document, section or external.';
COMMENT ON COLUMN node.subkind IS 'What it is more closely, such as method or interface.';
COMMENT ON COLUMN node.name IS 'Its own name.';
COMMENT ON COLUMN node.qualified_name IS 'Its dotted name, from the module down.';
COMMENT ON COLUMN node.module IS 'The dotted name of the module it stands in.';
COMMENT ON COLUMN node.language IS 'The language it is written in.';
COMMENT ON COLUMN node.file IS 'Key of the file it stands in; NULL outside the repository.';
COMMENT ON COLUMN node.parent IS 'Key of the node that contains it; NULL at the top.';
COMMENT ON COLUMN node.start_line IS 'First line, from 1.';
COMMENT ON COLUMN node.end_line IS 'Last line.';
COMMENT ON COLUMN node.signature IS 'The signature as written.';
COMMENT ON COLUMN node.docstring IS 'Its documentation as written.';
COMMENT ON COLUMN node.visibility IS 'public, private or what the language has.';
COMMENT ON COLUMN node.is_async IS 'Whether it is asynchronous.';
COMMENT ON COLUMN node.is_static IS 'Whether it belongs to the class and not to an instance.';
COMMENT ON COLUMN node.is_abstract IS 'Whether it must be implemented elsewhere.';
COMMENT ON COLUMN node.is_test IS 'Whether it is part of the tests.';
COMMENT ON COLUMN node.is_generated IS 'Whether a program wrote it.';
COMMENT ON COLUMN node.decorators IS 'Decorators as written, without the marker.';
COMMENT ON COLUMN node.parameters IS 'Parameters as written.';
COMMENT ON COLUMN node.returns IS 'The declared return type; empty when there is none.';
COMMENT ON COLUMN node.complexity IS
    'Cyclomatic complexity of McCabe: decision points + 1; 0 where it has no meaning.';
COMMENT ON COLUMN node.lines IS 'Number of lines.';
COMMENT ON COLUMN node.digest IS 'Digest of the body, in hex: it changes when the body does.';

CREATE TABLE edge (
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    kind edge_kind NOT NULL,
    role VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    rule resolution_rule NOT NULL,
    sites INTEGER NOT NULL
);
COMMENT ON TABLE edge IS
    'Every edge, one row for each source, target, kind and role; sorted by these.';
COMMENT ON COLUMN edge.source IS 'Key of the node that depends.';
COMMENT ON COLUMN edge.target IS
    'Key of the node it depends on; of what is contained, for contains.';
COMMENT ON COLUMN edge.kind IS
    'contains, imports, calls, inherits, overrides, uses, tests, links or mentions.';
COMMENT ON COLUMN edge.role IS
    'More of the kind: annotation, type-only, lazy, extends and the like.';
COMMENT ON COLUMN edge.line IS 'Line of the first site, from 1.';
COMMENT ON COLUMN edge.rule IS 'How the first site was resolved.';
COMMENT ON COLUMN edge.sites IS 'How many sites say so.';

CREATE TABLE site (
    kind site_kind NOT NULL,
    source INTEGER NOT NULL,
    file INTEGER NOT NULL,
    line INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    target INTEGER,
    choice INTEGER NOT NULL,
    rule resolution_rule,
    reason site_reason,
    candidates INTEGER NOT NULL
);
COMMENT ON TABLE site IS
    'The ledger: every reference in the text, resolved or not; file by file.';
COMMENT ON COLUMN site.kind IS
    'import, call, base, annotation, decorator, value, link or mention.';
COMMENT ON COLUMN site.source IS 'Key of the node whose text holds the reference.';
COMMENT ON COLUMN site.file IS 'Key of the file.';
COMMENT ON COLUMN site.line IS 'Line, from 1.';
COMMENT ON COLUMN site.text IS 'The reference as written.';
COMMENT ON COLUMN site.name IS 'Its last identifier.';
COMMENT ON COLUMN site.target IS 'Key of the node it means; NULL when unresolved.';
COMMENT ON COLUMN site.choice IS
    'Number of this answer, from 0, where several definitions may answer.';
COMMENT ON COLUMN site.rule IS 'How it was resolved; NULL when it was not.';
COMMENT ON COLUMN site.reason IS 'Why it has no edge inside the repository; NULL when it has.';
COMMENT ON COLUMN site.candidates IS 'How many definitions would fit.';

CREATE TABLE entry (
    node INTEGER NOT NULL,
    role entry_role NOT NULL,
    method VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    framework VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    line INTEGER NOT NULL
);
COMMENT ON TABLE entry IS
    'What runs though nothing in the repository may call it, in the order of nodes.';
COMMENT ON COLUMN entry.node IS 'Key of the node that runs.';
COMMENT ON COLUMN entry.role IS
    'main, script, test, fixture, route, command, task, receiver, hook or override.';
COMMENT ON COLUMN entry.method IS 'HTTP methods of a route, with commas; empty for any.';
COMMENT ON COLUMN entry.label IS
    'By what name it is asked for, such as the pattern of a route; empty when it is not constant.';
COMMENT ON COLUMN entry.framework IS 'What calls it: a package, a manifest or the language.';
COMMENT ON COLUMN entry.path IS 'Path of the file that says so.';
COMMENT ON COLUMN entry.line IS 'Line there, from 1.';

CREATE TABLE word (
    text VARCHAR NOT NULL,
    nodes INTEGER[] NOT NULL,
    weights INTEGER[] NOT NULL,
    fields INTEGER[] NOT NULL
);
COMMENT ON TABLE word IS 'The words that nodes say, for search, in alphabetical order.';
COMMENT ON COLUMN word.text IS 'The word, in lower case.';
COMMENT ON COLUMN word.nodes IS 'Keys of the nodes that say it, in order.';
COMMENT ON COLUMN word.weights IS
    'How much it says of each of them, from 1 to 255: its weighted frequency, in eighths.';
COMMENT ON COLUMN word.fields IS
    'Where it stands in each of them, added up: 1 name, 2 path, 4 signature, 8 docstring, 16 comment, 32 string, 64 body.';

CREATE TABLE measured (
    language VARCHAR NOT NULL,
    rule resolution_rule NOT NULL,
    "right" INTEGER NOT NULL,
    judged INTEGER NOT NULL
);
COMMENT ON TABLE measured IS 'The measured precision of each rule in each language.';
COMMENT ON COLUMN measured.language IS 'The language''s name.';
COMMENT ON COLUMN measured.rule IS 'The rule.';
COMMENT ON COLUMN measured."right" IS 'How many of the judged edges were right.';
COMMENT ON COLUMN measured.judged IS 'How many edges were judged.';
