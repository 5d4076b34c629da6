package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/iptables"
	"k8s.io/kubernetes/pkg/proxy/nftables"
	proxyutil "k8s.io/kubernetes/pkg/proxy/util"
	utiliptables "k8s.io/kubernetes/pkg/util/iptables"
	iptablestesting "k8s.io/kubernetes/pkg/util/iptables/testing"
)

// cluster is what every kube-proxy watches, and where it runs.
type cluster struct {
	PodCIDR        string                     `json:"podCIDR"`
	Services       []*v1.Service              `json:"services"`
	EndpointSlices []*discovery.EndpointSlice `json:"endpointSlices"`
	Nodes          []struct {
		Name   string            `json:"name"`
		IP     string            `json:"ip"`
		Labels map[string]string `json:"labels"`
	} `json:"nodes"`
}

// rules is what the kube-proxy of one node writes: the text of iptables-restore, and that of nft. What it answers to health
// checks of Services is by how many ready pods they have on the node.
type rules struct {
	Iptables  string         `json:"iptables"`
	Nftables  string         `json:"nftables"`
	ReadyPods map[string]int `json:"readyPods"`
}

// nftRecord names the file that the program in the place of nft keeps its standard input in.
const nftRecord = "NFT_RECORD"

// never is a period after which nothing happens by itself: each proxier writes its rules once.
const never = 24 * time.Hour

// printRules reads a cluster from standard input and prints the rules that kube-proxy writes on each of its nodes. The generators
// are kube-proxy's own, and so is the fake of iptables. The one of nftables takes no fake from another package: it starts
// whatever is called nft on the path, and that is a script which keeps what it is given.
func printRules() error {
	var given cluster
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	// counters and stale connections are looked for in a network that has none, where that is allowed
	runtime.LockOSThread()
	_ = unix.Unshare(unix.CLONE_NEWNET)
	folder, err := os.MkdirTemp("", "rules-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "nft"), []byte(nft), 0o700); err != nil {
		return err
	}
	os.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	os.Setenv(nftRecord, filepath.Join(folder, "recorded"))
	os.Setenv("KUBE_PROXY_NFTABLES_SKIP_KERNEL_VERSION_CHECK", "true")

	all := map[string]rules{}
	for _, node := range given.Nodes {
		local := proxyutil.NewDetectLocalByCIDR(given.PodCIDR)
		ip := net.ParseIP(node.IP)
		fake := iptablestesting.NewFake().SetHasRandomFully(true)
		one, err := iptables.NewProxier(context.Background(), v1.IPv4Protocol, written{fake}, liberal{}, never, 0, false, false, 14,
			local, node.Name, ip, nil, nil, nil, false)
		if err != nil {
			return fmt.Errorf("iptables: %w", err)
		}
		given.sync(one, node.Labels)
		var text bytes.Buffer
		if err := fake.SaveInto("", &text); err != nil {
			return err
		}
		other, err := nftables.NewProxier(context.Background(), v1.IPv4Protocol, never, 0, false, 14, local, node.Name, ip, nil,
			nil, nil, false)
		if err != nil {
			return fmt.Errorf("nftables: %w", err)
		}
		if err := os.WriteFile(os.Getenv(nftRecord), nil, 0o600); err != nil {
			return err
		}
		given.sync(other, node.Labels)
		recorded, err := os.ReadFile(os.Getenv(nftRecord))
		if err != nil {
			return err
		}
		all[node.Name] = rules{text.String(), string(recorded), given.readyPods(node.Name)}
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

// sync tells a proxier of everything there is; with the last word it writes its rules.
func (given cluster) sync(proxier proxy.Provider, labels map[string]string) {
	proxier.OnTopologyChange(labels)
	for _, service := range given.Services {
		proxier.OnServiceAdd(service)
	}
	for _, slice := range given.EndpointSlices {
		proxier.OnEndpointSliceAdd(slice)
	}
	proxier.OnServiceSynced()
	proxier.OnEndpointSlicesSynced()
}

// readyPods is what kube-proxy hands its health check server.
func (given cluster) readyPods(node string) map[string]int {
	changes := proxy.NewEndpointsChangeTracker(v1.IPv4Protocol, node, nil, nil)
	for _, slice := range given.EndpointSlices {
		changes.EndpointSliceUpdate(slice, false)
	}
	endpoints := proxy.EndpointsMap{}
	endpoints.Update(changes)
	counts := map[string]int{}
	for name, count := range endpoints.LocalReadyEndpoints() {
		counts[name.String()] = count
	}
	return counts
}

// nft is what kube-proxy starts: it knows no tables, and keeps each transaction in a file.
const nft = `#!/bin/sh
case "$1" in
--version) echo 'nftables v1.1.3 (recorded)' ;;
-f) exec cat >>"$NFT_RECORD" ;;
--check) exec cat >/dev/null ;;
*) echo '{"nftables": []}' ;;
esac
`

// written is kube-proxy's own fake of iptables, but for rules that are made one by one: their comments have spaces, and its text
// no quotation marks.
type written struct {
	*iptablestesting.FakeIPTables
}

func (w written) EnsureRule(at utiliptables.RulePosition, table utiliptables.Table, chain utiliptables.Chain, args ...string) (bool, error) {
	quoted := make([]string, len(args))
	for i, arg := range args {
		if quoted[i] = arg; strings.Contains(arg, " ") {
			quoted[i] = `"` + arg + `"`
		}
	}
	return w.FakeIPTables.EnsureRule(at, table, chain, quoted...)
}

// liberal is a host that forgives packets out of the window, so that no rule names a counter of the kernel.
type liberal struct{}

func (liberal) GetSysctl(string) (int, error) { return 1, nil }

func (liberal) SetSysctl(string, int) error { return nil }
