package flag

type Value interface {
	String() string
	Set(string) error
}

func Var(value Value, name string, usage string)
func Func(name string, usage string, fn func(string) error)
func BoolFunc(name string, usage string, fn func(string) error)
