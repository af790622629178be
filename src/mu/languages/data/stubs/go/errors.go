package errors

func New(text string) error
func Is(err error, target error) bool
func As(err error, target any) bool
func Unwrap(err error) error
func Join(errs ...error) error
