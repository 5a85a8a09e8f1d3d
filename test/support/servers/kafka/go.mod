module kfake

go 1.23.0

require (
	github.com/twmb/franz-go v1.18.1
	github.com/twmb/franz-go/pkg/kfake v0.0.0-20250320172111-35ab5e5f5327
	github.com/twmb/franz-go/pkg/kmsg v1.9.0
)

require (
	github.com/klauspost/compress v1.17.11 // indirect
	github.com/pierrec/lz4/v4 v4.1.22 // indirect
	golang.org/x/crypto v0.32.0 // indirect
)
