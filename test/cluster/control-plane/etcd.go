package main

import (
	"net/url"

	"go.etcd.io/etcd/server/v3/embed"
)

// runEtcd keeps a data folder on two ports of the loopback interface, until it fails.
func runEtcd(folder, clientPort, peerPort string) error {
	client := url.URL{Scheme: "http", Host: "127.0.0.1:" + clientPort}
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:" + peerPort}
	config := embed.NewConfig()
	config.Dir = folder
	config.ListenClientUrls = []url.URL{client}
	config.AdvertiseClientUrls = []url.URL{client}
	config.ListenPeerUrls = []url.URL{peer}
	config.AdvertisePeerUrls = []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = true // the folder is thrown away
	config.LogLevel = "error"
	server, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	return <-server.Err()
}
