package json

import "io"

type Marshaler interface {
	MarshalJSON() ([]byte, error)
}

type Unmarshaler interface {
	UnmarshalJSON([]byte) error
}

type Encoder struct{}

func NewEncoder(w io.Writer) *Encoder
func (enc *Encoder) Encode(v any) error
func (enc *Encoder) SetIndent(prefix string, indent string)
func (enc *Encoder) SetEscapeHTML(on bool)

type Decoder struct{}

func NewDecoder(r io.Reader) *Decoder
func (dec *Decoder) Decode(v any) error
func (dec *Decoder) More() bool
func (dec *Decoder) Buffered() io.Reader
func (dec *Decoder) DisallowUnknownFields()
func (dec *Decoder) InputOffset() int64
func (dec *Decoder) Token() (Token, error)
func (dec *Decoder) UseNumber()

type Token any

func Marshal(v any) ([]byte, error)
func MarshalIndent(v any, prefix string, indent string) ([]byte, error)
func Unmarshal(data []byte, v any) error
