package atomic

type Pointer[T any] struct{}

func (x *Pointer[T]) Load() *T
func (x *Pointer[T]) Store(val *T)
func (x *Pointer[T]) Swap(new *T) (old *T)
func (x *Pointer[T]) CompareAndSwap(old *T, new *T) (swapped bool)

type Value struct{}

func (v *Value) Load() any
func (v *Value) Store(val any)
func (v *Value) Swap(new any) any
func (v *Value) CompareAndSwap(old any, new any) bool
