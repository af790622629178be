package iter

type Seq[V any] func(yield func(V) bool)

func (s Seq[V]) __iterate() elements[V]
func (s Seq[V]) __keys() elements[V]

type Seq2[K any, V any] func(yield func(K, V) bool)

func (s Seq2[K, V]) __iterate() elements[V]
func (s Seq2[K, V]) __keys() elements[K]

type elements[V any] struct{}

func (e elements[V]) __next() V
