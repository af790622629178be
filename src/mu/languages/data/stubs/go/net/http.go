package http

import (
	"context"
	"io"
	"net/url"
)

const (
	MethodConnect = "CONNECT"
	MethodDelete  = "DELETE"
	MethodGet     = "GET"
	MethodHead    = "HEAD"
	MethodOptions = "OPTIONS"
	MethodPatch   = "PATCH"
	MethodPost    = "POST"
	MethodPut     = "PUT"
	MethodTrace   = "TRACE"
)

type Header map[string][]string

func (h Header) Add(key string, value string)
func (h Header) Clone() Header
func (h Header) Del(key string)
func (h Header) Get(key string) string
func (h Header) Set(key string, value string)
func (h Header) Values(key string) []string
func (h Header) Write(w io.Writer) error
func (h Header) WriteSubset(w io.Writer, exclude map[string]bool) error

type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(statusCode int)
}

type Flusher interface {
	Flush()
}

type Hijacker interface {
	Hijack() (net.Conn, *bufio.ReadWriter, error)
}

type CloseNotifier interface {
	CloseNotify() <-chan bool
}

type Pusher interface {
	Push(target string, opts *PushOptions) error
}

type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

type HandlerFunc func(ResponseWriter, *Request)

func (f HandlerFunc) ServeHTTP(w ResponseWriter, r *Request)

type RoundTripper interface {
	RoundTrip(*Request) (*Response, error)
}

type FileSystem interface {
	Open(name string) (File, error)
}

type Request struct {
	Method string
	URL    *url.URL
	Header Header
	Body   io.ReadCloser
	Host   string
}

func (r *Request) Clone(ctx context.Context) *Request
func (r *Request) Context() context.Context
func (r *Request) WithContext(ctx context.Context) *Request
func (r *Request) __more()

type Response struct {
	Status     string
	StatusCode int
	Header     Header
	Body       io.ReadCloser
	Request    *Request
}

func (r *Response) __more()

type Client struct {
	Transport RoundTripper
}

func (c *Client) Do(req *Request) (*Response, error)
func (c *Client) Get(url string) (resp *Response, err error)
func (c *Client) Head(url string) (resp *Response, err error)
func (c *Client) Post(url string, contentType string, body io.Reader) (resp *Response, err error)
func (c *Client) PostForm(url string, data url.Values) (resp *Response, err error)
func (c *Client) CloseIdleConnections()

type ServeMux struct{}

func (mux *ServeMux) Handle(pattern string, handler Handler)
func (mux *ServeMux) HandleFunc(pattern string, handler func(ResponseWriter, *Request))
func (mux *ServeMux) Handler(r *Request) (h Handler, pattern string)
func (mux *ServeMux) ServeHTTP(w ResponseWriter, r *Request)

type Server struct {
	Addr    string
	Handler Handler
}

func (s *Server) __more()

func NewServeMux() *ServeMux
func NewRequest(method string, url string, body io.Reader) (*Request, error)
func NewRequestWithContext(ctx context.Context, method string, url string, body io.Reader) (*Request, error)
func Get(url string) (resp *Response, err error)
func Head(url string) (resp *Response, err error)
func Post(url string, contentType string, body io.Reader) (resp *Response, err error)
func Handle(pattern string, handler Handler)
func HandleFunc(pattern string, handler func(ResponseWriter, *Request))
func StripPrefix(prefix string, h Handler) Handler
func TimeoutHandler(h Handler, dt time.Duration, msg string) Handler
func NotFoundHandler() Handler
func FileServer(root FileSystem) Handler
func ListenAndServe(addr string, handler Handler) error
func ListenAndServeTLS(addr string, certFile string, keyFile string, handler Handler) error
