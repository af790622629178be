package sync

type Locker interface {
	Lock()
	Unlock()
}

type Once struct{}

func (o *Once) Do(f func())

type Pool struct {
	New func() any
}

func (p *Pool) Get() any
func (p *Pool) Put(x any)

type Map struct{}

func (m *Map) Load(key any) (value any, ok bool)
func (m *Map) Store(key any, value any)
func (m *Map) LoadOrStore(key any, value any) (actual any, loaded bool)
func (m *Map) LoadAndDelete(key any) (value any, loaded bool)
func (m *Map) Delete(key any)
func (m *Map) Swap(key any, value any) (previous any, loaded bool)
func (m *Map) CompareAndSwap(key any, old any, new any) (swapped bool)
func (m *Map) CompareAndDelete(key any, old any) (deleted bool)
func (m *Map) Range(f func(key any, value any) bool)
func (m *Map) Clear()

func OnceFunc(f func()) func()
func OnceValue[T any](f func() T) func() T
