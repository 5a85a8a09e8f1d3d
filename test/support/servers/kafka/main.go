// Kafka clusters for tests: kfake of franz-go, with topics, a group that lags, SASL and TLS.
package main

import (
	"context"
	"crypto/tls"
	"os"
	"strconv"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Arguments: three ports of a cluster without a sign-in, the port of one with users, that of one with users
// and TLS, the certificate and its key.
func main() {
	ports := make([]int, 5)
	for i := range ports {
		ports[i] = must(strconv.Atoi(os.Args[1+i]))
	}
	open := must(kfake.NewCluster(kfake.Ports(ports[:3]...), kfake.SeedTopics(6, "orders"), kfake.SeedTopics(1, "mails")))
	lag(open.ListenAddrs())
	users := []kfake.Opt{
		kfake.EnableSASL(),
		kfake.SeedTopics(1, "orders"),
		kfake.Superuser("SCRAM-SHA-512", "ada", "s3cret"),
		kfake.Superuser("SCRAM-SHA-256", "bob", "s3cret"),
		kfake.Superuser("PLAIN", "eve", "s3cret"),
	}
	must(kfake.NewCluster(append(users, kfake.Ports(ports[3]))...))
	certificate := must(tls.LoadX509KeyPair(os.Args[6], os.Args[7]))
	config := &tls.Config{Certificates: []tls.Certificate{certificate}}
	must(kfake.NewCluster(append(users, kfake.Ports(ports[4]), kfake.TLS(config))...))
	select {}
}

// Puts five messages into each partition of orders; the group shop has read two of each.
func lag(addresses []string) {
	ctx := context.Background()
	client := must(kgo.NewClient(kgo.SeedBrokers(addresses...), kgo.RecordPartitioner(kgo.ManualPartitioner())))
	defer client.Close()
	topic := kmsg.NewOffsetCommitRequestTopic()
	topic.Topic = "orders"
	for partition := int32(0); partition < 6; partition++ {
		for range 5 {
			record := &kgo.Record{Topic: "orders", Partition: partition, Value: []byte("order")}
			must(client.ProduceSync(ctx, record).First())
		}
		read := kmsg.NewOffsetCommitRequestTopicPartition()
		read.Partition, read.Offset = partition, 2
		topic.Partitions = append(topic.Partitions, read)
	}
	commit := kmsg.NewPtrOffsetCommitRequest()
	commit.Group, commit.Generation = "shop", -1
	commit.Topics = append(commit.Topics, topic)
	must(commit.RequestWith(ctx, client))
}
