// The custom resource definitions that manifests are checked with lie inside these modules.
module cdk8s-load-balancers.example/crds

go 1.26.7

require (
	github.com/cert-manager/cert-manager v1.21.2
	github.com/cilium/cilium v1.20.2
	github.com/envoyproxy/gateway v1.9.1
	github.com/kyverno/kyverno v1.19.1
	go.universe.tf/metallb v0.16.2
	sigs.k8s.io/gateway-api v1.6.3
)
