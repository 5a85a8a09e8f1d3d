// A server of Minecraft as go-mc makes one: it listens at a free port of 127.0.0.1, says it, and answers the list
// of servers. Nobody can join.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"

	"github.com/Tnze/go-mc/chat"
	mcnet "github.com/Tnze/go-mc/net"
	"github.com/Tnze/go-mc/server"
)

func main() {
	online := flag.Int("players", 3, "how many play")
	most := flag.Int("max", 20, "how many may")
	flag.Parse()
	motd := chat.Text("A §aserver ").Append(chat.Text("of blocks"))
	info := server.NewPingInfo("1.20.2", 764, motd, nil)
	players := list{online: *online, most: *most}
	made := server.Server{
		ListPingHandler: struct {
			*server.PingInfo
			list
		}{info, players},
	}
	listener, err := mcnet.ListenMC("127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go made.AcceptConn(&conn)
	}
}

type list struct{ online, most int }

func (l list) MaxPlayer() int                       { return l.most }
func (l list) OnlinePlayer() int                    { return l.online }
func (l list) PlayerSamples() []server.PlayerSample { return nil }
