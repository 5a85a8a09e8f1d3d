// A gRPC server with the services that grpc-go has: health, reflection and channelz.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"

	"google.golang.org/grpc"
	channelz "google.golang.org/grpc/channelz/service"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
)

func main() {
	cert := flag.String("cert", "", "a certificate, for TLS")
	key := flag.String("key", "", "its key")
	reflects := flag.String("reflection", "both", "both, alpha or none")
	token := flag.String("token", "", "what authorization must be")
	hasHealth := flag.Bool("health", true, "whether it has the health service")
	flag.Parse()
	options := []grpc.ServerOption{grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
			given, _ := metadata.FromIncomingContext(ctx)
			if *token != "" && (len(given["authorization"]) == 0 || given["authorization"][0] != *token) {
				return nil, status.Error(codes.Unauthenticated, "no such token: ünknown")
			}
			return handle(ctx, request)
		},
	)}
	if *cert != "" {
		found, err := credentials.NewServerTLSFromFile(*cert, *key)
		if err != nil {
			panic(err)
		}
		options = append(options, grpc.Creds(found))
	}
	server := grpc.NewServer(options...)
	channelz.RegisterChannelzServiceToServer(server)
	if *hasHealth {
		services := health.NewServer()
		services.SetServingStatus("shop", healthpb.HealthCheckResponse_SERVING)
		services.SetServingStatus("stock", healthpb.HealthCheckResponse_NOT_SERVING)
		healthpb.RegisterHealthServer(server, services)
	}
	switch *reflects {
	case "both":
		reflection.Register(server)
	case "alpha":
		services := reflection.NewServer(reflection.ServerOptions{Services: server})
		alpha.RegisterServerReflectionServer(server, services)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
