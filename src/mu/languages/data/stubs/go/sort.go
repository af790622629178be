package sort

type Interface interface {
	Len() int
	Less(i int, j int) bool
	Swap(i int, j int)
}

func Sort(data Interface)
func Stable(data Interface)
func IsSorted(data Interface) bool
func Slice(x any, less func(i int, j int) bool)
func SliceStable(x any, less func(i int, j int) bool)
func Search(n int, f func(int) bool) int
func Reverse(data Interface) Interface
