package gin

import "net/http"

type Context struct {
	Request *http.Request
	Writer  http.ResponseWriter
}

func (c *Context) __more()

type HandlerFunc func(*Context)

type IRoutes interface {
	Any(path string, handlers ...HandlerFunc) IRoutes
	DELETE(path string, handlers ...HandlerFunc) IRoutes
	GET(path string, handlers ...HandlerFunc) IRoutes
	HEAD(path string, handlers ...HandlerFunc) IRoutes
	Handle(method string, path string, handlers ...HandlerFunc) IRoutes
	Match(methods []string, path string, handlers ...HandlerFunc) IRoutes
	OPTIONS(path string, handlers ...HandlerFunc) IRoutes
	PATCH(path string, handlers ...HandlerFunc) IRoutes
	POST(path string, handlers ...HandlerFunc) IRoutes
	PUT(path string, handlers ...HandlerFunc) IRoutes
	Use(handlers ...HandlerFunc) IRoutes
	__more()
}

type IRouter interface {
	IRoutes
	Group(path string, handlers ...HandlerFunc) *RouterGroup
}

type RouterGroup struct {
	IRouter
}

type Engine struct {
	RouterGroup
}

func (engine *Engine) NoMethod(handlers ...HandlerFunc)
func (engine *Engine) NoRoute(handlers ...HandlerFunc)
func (engine *Engine) ServeHTTP(w http.ResponseWriter, req *http.Request)
func (engine *Engine) Use(handlers ...HandlerFunc) IRoutes
func (engine *Engine) __more()

func Default() *Engine
func New() *Engine
