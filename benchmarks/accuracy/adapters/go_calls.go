// What Go's own type checker says of a folder: one line of tab-separated text for each fact, as the
// adapter typescript.mjs prints them. Build constraints are those of the platform it runs on; what
// cannot be imported is left unknown.
//
//	go run go_calls.go FOLDER
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

var (
	root  string
	files = token.NewFileSet()
	rows  = map[string]bool{}
	named []*types.TypeName // all types of the folder

	modules  = map[string]string{} // folders by the paths of the modules in them
	packages = map[string]*types.Package{}
)

// within imports packages of the folder from their sources, and those of the standard library.
type within struct{ standard types.Importer }

func (from within) Import(dotted string) (*types.Package, error) {
	if found, ok := packages[dotted]; ok {
		return found, nil
	}
	if folder := folderOf(dotted); folder != "" {
		packages[dotted] = types.NewPackage(dotted, filepath.Base(dotted)) // of a cycle
		if here, err := build.Default.ImportDir(folder, 0); err == nil {
			packages[dotted] = check(folder, here.GoFiles, from).made
			return packages[dotted], nil
		}
	} else if first, _, _ := strings.Cut(dotted, "/"); !strings.Contains(first, ".") {
		return from.standard.Import(dotted)
	}
	return nil, fmt.Errorf("%s is not here", dotted)
}

// folderOf gives the folder that an import path means, empty for one that is not here.
func folderOf(dotted string) string {
	best := ""
	for module, folder := range modules {
		if rest, ok := strings.CutPrefix(dotted, module); ok && (rest == "" || rest[0] == '/') {
			where := filepath.Join(folder, rest)
			if found, err := filepath.Glob(filepath.Join(where, "*.go")); err == nil && len(found) > 0 && len(where) > len(best) {
				best = where
			}
		}
	}
	return best
}

func emit(columns ...string) { rows[strings.Join(columns, "\t")] = true }

// at gives the path below the folder, and the line, of a position.
func at(pos token.Pos) (string, int, bool) {
	place := files.Position(pos)
	path, err := filepath.Rel(root, place.Filename)
	return path, place.Line, err == nil && !strings.HasPrefix(path, "..") && place.IsValid()
}

func target(object types.Object) string {
	if path, line, ok := at(object.Pos()); ok {
		return fmt.Sprintf("%s:%d", path, line)
	}
	return ""
}

type checked struct {
	info  *types.Info
	files []*ast.File
	made  *types.Package
}

func check(folder string, names []string, source types.Importer) *checked {
	one := &checked{info: &types.Info{
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Types:      map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	for _, name := range names {
		file, err := parser.ParseFile(files, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err == nil {
			one.files = append(one.files, file)
		}
	}
	config := types.Config{Importer: source, Error: func(error) {}, FakeImportC: true}
	one.made, _ = config.Check(folder, files, one.files, one.info)
	return one
}

func plain(call ast.Expr) *ast.Ident {
	switch called := ast.Unparen(call).(type) {
	case *ast.Ident:
		return called
	case *ast.SelectorExpr:
		return called.Sel
	case *ast.IndexExpr:
		return plain(called.X)
	case *ast.IndexListExpr:
		return plain(called.X)
	}
	return nil
}

func (one *checked) call(call *ast.CallExpr) {
	name := plain(call.Fun)
	if name == nil {
		return
	}
	path, line, _ := at(name.Pos())
	kind, where := "unknown", ""
	switch object := one.info.Uses[name].(type) {
	case *types.Func:
		where = target(object.Origin())
		if kind = "here"; where == "" {
			kind = "outside"
		}
	case *types.TypeName: // a conversion
		where = target(object)
		if kind = "here"; where == "" {
			kind = "outside"
		}
	case *types.Builtin:
		kind = "outside"
	}
	emit("call", path, fmt.Sprint(line), name.Name, kind, where)
}

func (one *checked) walk(file *ast.File) {
	path, _, _ := at(file.Package)
	emit("file", path)
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			one.call(call)
		}
		return true
	})
	for _, spec := range file.Imports {
		if folder := folderOf(strings.Trim(spec.Path.Value, "\"`")); folder != "" {
			below, _ := filepath.Rel(root, folder)
			emit("import", path, below)
		}
	}
	for _, object := range one.info.Defs {
		name, ok := object.(*types.TypeName)
		if ok && !name.IsAlias() && isWhole(name.Type(), map[types.Type]bool{}) {
			named = append(named, name)
		}
	}
}

// isWhole tells whether all that a type embeds is known.
func isWhole(typ types.Type, seen map[types.Type]bool) bool {
	if pointer, ok := typ.(*types.Pointer); ok {
		typ = pointer.Elem()
	}
	if seen[typ] {
		return true
	}
	seen[typ] = true
	switch under := typ.Underlying().(type) {
	case *types.Struct:
		for i := range under.NumFields() {
			if under.Field(i).Embedded() && !isWhole(under.Field(i).Type(), seen) {
				return false
			}
		}
	case *types.Interface:
		for i := range under.NumEmbeddeds() {
			if !isWhole(under.EmbeddedType(i), seen) {
				return false
			}
		}
	case *types.Basic:
		return under.Kind() != types.Invalid
	}
	return true
}

// base prints what a type embeds, and the interfaces of the folder that it satisfies.
func base(name *types.TypeName) {
	path, line, ok := at(name.Pos())
	if !ok {
		return
	}
	own := name.Type()
	put := func(above *types.TypeName) {
		if where := target(above); where != "" && above != name {
			emit("base", path, fmt.Sprint(line), above.Name(), where)
		}
	}
	embedded := func(typ types.Type) {
		if pointer, ok := typ.(*types.Pointer); ok {
			typ = pointer.Elem()
		}
		if above, ok := typ.(*types.Named); ok {
			put(above.Origin().Obj())
		}
	}
	switch under := own.Underlying().(type) {
	case *types.Struct:
		for i := range under.NumFields() {
			if under.Field(i).Embedded() {
				embedded(under.Field(i).Type())
			}
		}
	case *types.Interface:
		for i := range under.NumEmbeddeds() {
			embedded(under.EmbeddedType(i))
		}
		return
	}
	for _, other := range named {
		above, ok := other.Type().Underlying().(*types.Interface)
		if !ok || above.NumMethods() == 0 || !above.IsMethodSet() || hasParameters(other) {
			continue
		}
		if types.Implements(own, above) || types.Implements(types.NewPointer(own), above) {
			put(other)
		}
	}
}

func hasParameters(name *types.TypeName) bool {
	one, ok := name.Type().(*types.Named)
	return ok && one.TypeParams().Len() > 0
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	root, _ = filepath.EvalSymlinks(root)
	os.Chdir(root)
	build.Default.Dir = root
	source := within{importer.ForCompiler(files, "source", nil)}
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "go.mod" {
			text, _ := os.ReadFile(path)
			for _, line := range strings.Split(string(text), "\n") {
				if module, ok := strings.CutPrefix(line, "module "); ok {
					modules[strings.Trim(strings.TrimSpace(module), "\"")] = filepath.Dir(path)
				}
			}
		}
		return nil
	})
	filepath.WalkDir(root, func(folder string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		if base := entry.Name(); folder != root && (base == "testdata" || base == "vendor" || base[0] == '.') {
			return filepath.SkipDir
		}
		here, err := build.Default.ImportDir(folder, 0)
		if here == nil || (err != nil && len(here.GoFiles)+len(here.TestGoFiles) == 0) {
			return nil
		}
		own := append(append([]string{}, here.GoFiles...), here.CgoFiles...)
		for _, names := range [][]string{append(own, here.TestGoFiles...), here.XTestGoFiles} {
			one := check(folder, names, source)
			for _, file := range one.files {
				one.walk(file)
			}
		}
		return nil
	})
	for _, name := range named {
		base(name)
	}
	lines := make([]string, 0, len(rows))
	for line := range rows {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}
