// A Kubernetes control plane in one program: the real etcd, kube-apiserver, controller manager and service controller, a
// cloud that keeps no more than a ledger, a model of controllers that serve a class of Services, kube-proxy's generators of rules,
// and kubectl.
// The first argument says which of them to be. A server lives as long as its standard input, so that nobody is left behind when
// whoever started it is killed.
package main

import (
	"io"
	"log"
	"os"

	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("one of: kubectl, rules, etcd, apiserver, manager, cloud, owners")
	}
	part := os.Args[1]
	if part == "rules" {
		if err := printRules(); err != nil {
			log.Fatal(err)
		}
		return
	}
	if part == "kubectl" {
		as("kubectl")
		os.Exit(cli.Run(kubectl.NewDefaultKubectlCommand()))
	}
	go exitWithStandardInput()
	switch part {
	case "etcd":
		log.Fatal(runEtcd(os.Args[2], os.Args[3], os.Args[4]))
	case "apiserver":
		as("kube-apiserver")
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "manager":
		as("kube-controller-manager")
		os.Exit(cli.Run(manager.NewControllerManagerCommand()))
	case "cloud":
		as("cloud-controller-manager")
		os.Exit(cli.Run(newCloudCommand()))
	case "owners":
		log.Fatal(runOwners(os.Args[2], os.Args[3]))
	default:
		log.Fatalf("there is no %q in here", part)
	}
}

func as(program string) {
	os.Args = append([]string{program}, os.Args[2:]...)
}

func exitWithStandardInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
