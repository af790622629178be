package maps

import "iter"

func Keys[K any, V any](m map[K]V) iter.Seq[K]
func Values[K any, V any](m map[K]V) iter.Seq[V]
func All[K any, V any](m map[K]V) iter.Seq2[K, V]
func Clone[M any](m M) M
func DeleteFunc[K any, V any](m map[K]V, del func(K, V) bool)
