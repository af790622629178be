// What the TypeScript compiler says of a folder: one line of tab-separated text for each fact.
//
//   node typescript.mjs FOLDER            the package `typescript` is looked for from where it runs
//
//   call    path line name here|outside|unknown  target:line,line ...   (all declarations of it)
//   base    path line name target:line,line ...
//   import  path target
//   file    path
//
// Lines count from 1; paths are relative to the folder. A call that the compiler resolves to a
// variable or parameter is `unknown`: it does not say which function is in it.
import { createRequire } from 'node:module';
import path from 'node:path';

const ts = createRequire(path.join(process.cwd(), 'x.js'))('typescript');
const root = path.resolve(process.argv[2]);

const options = {
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  maxNodeModuleJsDepth: 0,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
};
const config = ts.findConfigFile(root, ts.sys.fileExists, 'tsconfig.json');
if (config?.startsWith(root)) {
  const { config: read } = ts.readConfigFile(config, ts.sys.readFile);
  const parsed = ts.convertCompilerOptionsFromJson(read?.compilerOptions ?? {}, root).options;
  for (const key of ['baseUrl', 'paths', 'jsx']) if (parsed[key]) options[key] = parsed[key];
}
const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
const files = ts.sys.readDirectory(root, endings, ['**/node_modules']);
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();

const rows = new Set();
const relative = (file) => path.relative(root, file);
const isInside = (file) => file.startsWith(root + path.sep) && !file.includes('/node_modules/');
const lineAt = (source, position) => source.getLineAndCharacterOfPosition(position).line + 1;

function emit(...columns) {
  rows.add(columns.join('\t'));
}

/** The path and lines at which a declaration may be said to begin; nothing for what is no code. */
function place(declaration) {
  const source = declaration.getSourceFile();
  if (!isInside(source.fileName)) return undefined;
  const lines = new Set([lineAt(source, declaration.getStart(source))]);
  if (declaration.name) lines.add(lineAt(source, declaration.name.getStart(source)));
  if (declaration.initializer) lines.add(lineAt(source, declaration.initializer.getStart(source)));
  const parent = declaration.parent;
  if (parent && (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isBinaryExpression(parent)
    || ts.isParenthesizedExpression(parent) || ts.isExportAssignment(parent)))
    lines.add(lineAt(source, parent.getStart(source)));
  return `${relative(source.fileName)}:${[...lines].join(',')}`;
}

const isFunction = (node) => ts.isFunctionLike(node) || ts.isClassLike(node);

/** The declarations of functions and classes that a symbol names, aliases followed. */
function declarations(symbol) {
  if (!symbol) return [];
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const found = [];
  for (const one of symbol.declarations ?? []) {
    if (isFunction(one) || ts.isInterfaceDeclaration(one)) found.push(one);
    else if (one.initializer && isFunction(unwrapped(one.initializer))) found.push(unwrapped(one.initializer));
    else if (ts.isBinaryExpression(one.parent ?? one) && isFunction(one.parent.right)) found.push(one.parent.right);
    else if (ts.isShorthandPropertyAssignment(one))
      found.push(...declarations(checker.getShorthandAssignmentValueSymbol(one)));
  }
  return found;
}

function unwrapped(node) {
  while (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression?.(node))
    node = node.expression;
  return node;
}

function nameOf(callee) {
  const plain = unwrapped(callee);
  if (ts.isPropertyAccessExpression(plain)) return plain.name;
  return ts.isIdentifier(plain) ? plain : undefined;
}

function call(node, callee, source) {
  const name = nameOf(callee);
  if (!name) return;
  const symbol = checker.getSymbolAtLocation(name);
  const signature = checker.getResolvedSignature(node)?.declaration;
  const found = new Set(declarations(symbol));
  if (signature && (isFunction(signature) || ts.isConstructorDeclaration(signature))) {
    const owner = signature.parent;
    const isType = ts.isFunctionTypeNode(signature) || ts.isJSDocSignature?.(signature);
    if (!isType && ts.isConstructorDeclaration(signature)) found.add(owner);
    if (!isType && (found.size || signature.body || ts.isMethodSignature(signature))) found.add(signature);
  }
  const made = [...found].filter(ts.isClassLike);
  for (const one of made)
    for (const member of one.members) if (ts.isConstructorDeclaration(member)) found.add(member);
  const targets = [...found].map(place);
  const inside = targets.filter(Boolean);
  const known = symbol && (symbol.declarations ?? []).length;
  const outside = (targets.length && !inside.length)
    || (known && symbol.declarations.every((one) => !isInside(one.getSourceFile().fileName)));
  const kind = inside.length ? 'here' : outside ? 'outside' : 'unknown';
  emit('call', relative(source.fileName), lineAt(source, name.getStart(source)), name.text, kind, inside.join(' '));
}

function bases(node, source) {
  for (const clause of node.heritageClauses ?? [])
    for (const type of clause.types) {
      const name = nameOf(type.expression);
      const symbol = name && checker.getSymbolAtLocation(name);
      const targets = declarations(symbol).map(place).filter(Boolean);
      const start = node.name ?? node;
      if (targets.length)
        emit('base', relative(source.fileName), lineAt(source, start.getStart(source)), name.text, targets.join(' '));
    }
}

function imported(source, specifier) {
  const found = ts.resolveModuleName(specifier, source.fileName, options, ts.sys).resolvedModule;
  if (found && isInside(found.resolvedFileName))
    emit('import', relative(source.fileName), relative(found.resolvedFileName));
}

function walk(node, source) {
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    const isLoad = node.expression.kind === ts.SyntaxKind.ImportKeyword
      || (ts.isIdentifier(node.expression) && node.expression.text === 'require');
    if (isLoad && first && ts.isStringLiteral(first)) imported(source, first.text);
    else call(node, node.expression, source);
  } else if (ts.isNewExpression(node)) call(node, node.expression, source);
  else if (ts.isTaggedTemplateExpression(node)) call(node, node.tag, source);
  else if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) bases(node, source);
  else if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
    imported(source, node.moduleSpecifier.text);
  ts.forEachChild(node, (child) => walk(child, source));
}

for (const source of program.getSourceFiles())
  if (isInside(source.fileName)) {
    emit('file', relative(source.fileName));
    walk(source, source);
  }
process.stdout.write([...rows].sort().join('\n') + '\n');
