package chi

import "net/http"

type Router interface {
	Connect(pattern string, h http.HandlerFunc)
	Delete(pattern string, h http.HandlerFunc)
	Get(pattern string, h http.HandlerFunc)
	Group(fn func(r Router)) Router
	Handle(pattern string, h http.Handler)
	HandleFunc(pattern string, h http.HandlerFunc)
	Head(pattern string, h http.HandlerFunc)
	Method(method, pattern string, h http.Handler)
	MethodFunc(method, pattern string, h http.HandlerFunc)
	MethodNotAllowed(h http.HandlerFunc)
	Mount(pattern string, h http.Handler)
	NotFound(h http.HandlerFunc)
	Options(pattern string, h http.HandlerFunc)
	Patch(pattern string, h http.HandlerFunc)
	Post(pattern string, h http.HandlerFunc)
	Put(pattern string, h http.HandlerFunc)
	Route(pattern string, fn func(r Router)) Router
	ServeHTTP(w http.ResponseWriter, r *http.Request)
	Trace(pattern string, h http.HandlerFunc)
	Use(middlewares ...func(http.Handler) http.Handler)
	With(middlewares ...func(http.Handler) http.Handler) Router
	__more()
}

type Mux struct {
	Router
}

func NewMux() *Mux
func NewRouter() *Mux
