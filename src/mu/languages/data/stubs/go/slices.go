package slices

import "iter"

func All[E any](s []E) iter.Seq2[int, E]
func Values[E any](s []E) iter.Seq[E]
func Backward[E any](s []E) iter.Seq2[int, E]
func Collect[E any](seq iter.Seq[E]) []E
func Sorted[E any](seq iter.Seq[E]) []E
func SortedFunc[E any](seq iter.Seq[E], cmp func(E, E) int) []E
func Clone[S any](s S) S
func Compact[S any](s S) S
func CompactFunc[S any, E any](s S, eq func(E, E) bool) S
func Concat[S any](slices ...S) S
func Delete[S any](s S, i int, j int) S
func DeleteFunc[S any, E any](s S, del func(E) bool) S
func Insert[S any](s S, i int, v ...any) S
func Grow[S any](s S, n int) S
func Clip[S any](s S) S
func Max[E any](x []E) E
func Min[E any](x []E) E
func MaxFunc[E any](x []E, cmp func(a E, b E) int) E
func MinFunc[E any](x []E, cmp func(a E, b E) int) E
func SortFunc[E any](x []E, cmp func(a E, b E) int)
func SortStableFunc[E any](x []E, cmp func(a E, b E) int)
func IndexFunc[E any](s []E, f func(E) bool) int
func ContainsFunc[E any](s []E, f func(E) bool) bool
func EqualFunc[A any, B any](s1 []A, s2 []B, eq func(A, B) bool) bool
