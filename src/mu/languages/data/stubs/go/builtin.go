// Package builtin has the universe block. The composite types are classes here: tuple, slice,
// mapping and channel.
package builtin

type any interface{}
type comparable interface{}

type error interface {
	Error() string
}

type bool struct{}
type string struct{}
type int struct{}
type int8 struct{}
type int16 struct{}
type int32 struct{}
type int64 struct{}
type uint struct{}
type uint8 struct{}
type uint16 struct{}
type uint32 struct{}
type uint64 struct{}
type uintptr struct{}
type float32 struct{}
type float64 struct{}
type complex64 struct{}
type complex128 struct{}
type byte struct{}
type rune struct{}

type tuple struct{}

type slice[T any] struct{}

func (s slice[T]) __iterate() iterator[T]
func (s slice[T]) __keys() iterator[int]
func (s slice[T]) __index(i int) T
func (s slice[T]) __set(i int, v T)
func (s slice[T]) append(values ...T)

type mapping[K any, V any] struct{}

func (m mapping[K, V]) __iterate() iterator[V]
func (m mapping[K, V]) __keys() iterator[K]
func (m mapping[K, V]) __index(key K) V
func (m mapping[K, V]) __set(key K, v V)

type channel[T any] struct{}

func (c channel[T]) __iterate() iterator[T]
func (c channel[T]) __keys() iterator[T]
func (c channel[T]) __set(i int, v T)

type iterator[T any] struct{}

func (i iterator[T]) __next() T

func append[S any](s S, values ...any) S
