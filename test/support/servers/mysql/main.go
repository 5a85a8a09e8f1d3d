// MySQL servers for tests: those of go-mysql, one for each method of MySQL 8 to sign in, with TLS.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/server"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Signs in ada with the password s3cret. It is no InMemoryProvider: for that one the first sign-in would be
// as short as the second.
type users struct{}

func (users) CheckUsername(name string) (bool, error) { return name == "ada", nil }
func (users) GetCredential(name string) (string, bool, error) {
	return "s3cret", name == "ada", nil
}

// Answers each query with one row.
type answers struct{ server.EmptyHandler }

func (answers) UseDB(string) error { return nil }
func (answers) HandleQuery(string) (*mysql.Result, error) {
	rows, err := mysql.BuildSimpleTextResultset([]string{"n"}, [][]any{{7}})
	return mysql.NewResult(rows), err
}

// Arguments: pairs of an address and a method.
func main() {
	key := must(rsa.GenerateKey(rand.Reader, 2048))
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	certificate := must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}
	public := must(x509.MarshalPKIXPublicKey(&key.PublicKey))
	publicKey := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	for i := 1; i+1 < len(os.Args); i += 2 {
		listener := must(net.Listen("tcp", os.Args[i]))
		listening := server.NewServer("8.4.9", mysql.DEFAULT_COLLATION_ID, os.Args[i+1], publicKey, config)
		go serve(listener, listening)
	}
	select {}
}

func serve(listener net.Listener, listening *server.Server) {
	for {
		socket := must(listener.Accept())
		go func() {
			client, err := server.NewCustomizedConn(socket, listening, users{}, answers{})
			for err == nil && !client.Closed() {
				err = client.HandleCommand()
			}
			socket.Close()
		}()
	}
}
