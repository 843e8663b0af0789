package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// ipv6 reports whether this machine can dial addresses of IPv6 at all. Where it cannot, no check is reached.
var ipv6 = sync.OnceValue(func() bool {
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		return false
	}
	return listener.Close() == nil
})

// certify makes a certificate that vouches for itself.
func certify(t *testing.T, name string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, roots
}

func serveTLS(t *testing.T, handler http.HandlerFunc, name string) (*site, *x509.CertPool) {
	t.Helper()
	certificate, roots := certify(t, name)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(listener)
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return s, roots
}

// serveMute starts a server that reads and says nothing, but to who speaks HTTP right away, an alert of TLS.
func serveMute(t *testing.T) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer func() { _ = conn.Close() }()
				first := make([]byte, 1)
				if _, err := io.ReadFull(conn, first); err == nil && first[0] != 'G' {
					<-over
				}
				_, _ = conn.Write([]byte{21, 3, 1, 0, 2, 2, 40})
			})
		}
	})
	t.Cleanup(func() { close(over); _ = listener.Close(); all.Wait() })
	return newSite(listener)
}

// packed is a piece of text again and again, compressed. The tables above the tests need it before there is a test to fail.
func packed(compress func(io.Writer) io.WriteCloser, size int, piece string) []byte {
	var all bytes.Buffer
	w := compress(&all)
	for range size / len(piece) {
		if _, err := io.WriteString(w, piece); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return all.Bytes()
}

func gzipped(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func zlibbed(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func deflated(w io.Writer) io.WriteCloser {
	d, _ := flate.NewWriter(w, flate.BestCompression)
	return d
}

// What the raw server sends: 16 MiB of blanks in 16 KiB, and short texts that compress as texts do.
var (
	blanks         = strings.Repeat(" ", 1<<20)
	gzipBomb       = sync.OnceValue(func() []byte { return packed(gzipped, 16<<20, blanks) })
	zlibBomb       = sync.OnceValue(func() []byte { return packed(zlibbed, 16<<20, blanks) })
	deflateBomb    = sync.OnceValue(func() []byte { return packed(deflated, 16<<20, blanks) })
	nestedBomb     = sync.OnceValue(func() []byte { return packed(gzipped, len(gzipBomb()), string(gzipBomb())) })
	twoKilobytes   = strings.Repeat("0123456789abcdef", 128)
	shortGzip      = sync.OnceValue(func() []byte { return packed(gzipped, 2048, twoKilobytes) })
	member         = sync.OnceValue(func() []byte { return packed(gzipped, 1<<16, blanks[:1<<16]) })
	shortZlib      = sync.OnceValue(func() []byte { return packed(zlibbed, 2048, twoKilobytes) })
	shortDeflate   = sync.OnceValue(func() []byte { return packed(deflated, 2048, twoKilobytes) })
	statusOK       = "HTTP/1.1 200 OK\r\n"
	asHTML         = "Content-Type: text/html\r\n"
	manyBytes      = strings.Repeat("x", 64<<10)
	chunkOfHundred = "64\r\n" + strings.Repeat("y", 100) + "\r\n"
)

// speak is the raw server: each path is one way to be no good.
func speak(path string, conn net.Conn, over <-chan struct{}) {
	say := func(parts ...string) { _, _ = io.WriteString(conn, strings.Join(parts, "")) }
	endless := func(piece string) {
		for {
			if _, err := io.WriteString(conn, piece); err != nil {
				return
			}
		}
	}
	body := func(encoding string, body []byte) {
		say(statusOK, asHTML, "Content-Encoding: ", encoding, "\r\n", fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)), string(body))
	}
	switch strings.TrimPrefix(path, "/") {
	case "garbage":
		say("SSH-2.0-OpenSSH_10.0\r\n")
	case "nothing":
	case "half-header":
		say(statusOK, "Content-Ty")
	case "endless-headers":
		say(statusOK)
		endless("X-A: b\r\n")
	case "endless-header":
		say(statusOK, "X-A: ")
		endless(manyBytes)
	case "endless-status":
		say("HTTP/1.1 200 ")
		endless(manyBytes)
	case "endless-hints":
		endless("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
	case "two-lengths":
		say(statusOK, "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab")
	case "negative-length":
		say(statusOK, "Content-Length: -1\r\n\r\nab")
	case "length-and-chunks":
		say(statusOK, "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", chunkOfHundred, "0\r\n\r\n")
	case "odd-transfer":
		say(statusOK, "Transfer-Encoding: gzip, chunked\r\n\r\n", chunkOfHundred, "0\r\n\r\n")
	case "too-long-length":
		say(statusOK, "Content-Length: 1000\r\n\r\n", twoKilobytes[:100])
	case "half-chunk":
		say(statusOK, "Transfer-Encoding: chunked\r\n\r\n", chunkOfHundred[:50])
	case "odd-chunk":
		say(statusOK, "Transfer-Encoding: chunked\r\n\r\nzz\r\n")
	case "huge-chunk":
		say(statusOK, "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc")
	case "endless-extension":
		say(statusOK, "Transfer-Encoding: chunked\r\n\r\n1;")
		endless(manyBytes)
	case "endless-trailers":
		say(statusOK, "Transfer-Encoding: chunked\r\n\r\n", chunkOfHundred, "0\r\n")
		endless("X-A: b\r\n")
	case "endless-body":
		say(statusOK, "\r\n")
		endless(manyBytes)
	case "endless-chunks":
		say(statusOK, "Transfer-Encoding: chunked\r\n\r\n")
		endless(chunkOfHundred)
	case "terabyte":
		say(statusOK, "Content-Length: 1099511627776\r\n\r\n")
		endless(manyBytes)
	case "upgrade":
		say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n")
		endless(manyBytes)
	case "gzip-bomb":
		body("gzip", gzipBomb())
	case "deflate-bomb":
		body("deflate", zlibBomb())
	case "bare-deflate-bomb":
		body("deflate", deflateBomb())
	case "endless-members":
		say(statusOK, asHTML, "Content-Encoding: gzip\r\n\r\n")
		endless(string(member()))
	case "nested-bomb":
		body("gzip, gzip", nestedBomb())
	case "brotli":
		body("br", []byte("\x0b\x02\x80hello\x03"))
	case "zstd":
		body("zstd", []byte("\x28\xb5\x2f\xfd"))
	case "odd-gzip":
		body("gzip", []byte("no gzip at all, but long enough"))
	case "half-gzip":
		body("gzip", shortGzip()[:len(shortGzip())-12])
	case "wrong-sum":
		wrong := bytes.Clone(shortGzip())
		wrong[len(wrong)-8] ^= 1
		body("gzip", wrong)
	case "odd-deflate":
		body("deflate", []byte("\xff\xff\xff\xff"))
	case "silence":
		<-over
	case "slow-header":
		say(statusOK, "X-A: ")
		drip(conn, "a", 20*time.Millisecond, over)
	case "slow-body":
		say(statusOK, "\r\n")
		drip(conn, "a", 20*time.Millisecond, over)
	case "stops":
		say(statusOK, "Content-Length: 1000\r\n\r\n", twoKilobytes[:100])
		<-over
	case "gzip-stops":
		say(statusOK, "Content-Encoding: gzip\r\n\r\n", string(shortGzip()[:20]))
		<-over
	case "two-kilobytes":
		body("identity", []byte(twoKilobytes))
	case "two-kilobytes-gzip":
		body("gzip", shortGzip())
	case "two-kilobytes-deflate":
		body("deflate", shortZlib())
	case "two-kilobytes-bare-deflate":
		body("deflate", shortDeflate())
	default:
		panic("the raw server has no " + path)
	}
}
