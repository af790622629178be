package strings

func Map(mapping func(rune) rune, s string) string
func FieldsFunc(s string, f func(rune) bool) []string
func ContainsFunc(s string, f func(rune) bool) bool
func IndexFunc(s string, f func(rune) bool) int
func LastIndexFunc(s string, f func(rune) bool) int
func TrimFunc(s string, f func(rune) bool) string
func TrimLeftFunc(s string, f func(rune) bool) string
func TrimRightFunc(s string, f func(rune) bool) string
