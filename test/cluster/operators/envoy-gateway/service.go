// Package services is a path below Envoy Gateway's, so that its internal packages may be called.
package services

import (
	"context"
	"io"
	_ "unsafe" // for go:linkname

	egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"
	"github.com/envoyproxy/gateway/internal/envoygateway/config"
	"github.com/envoyproxy/gateway/internal/gatewayapi"
	"github.com/envoyproxy/gateway/internal/infrastructure/kubernetes"
	"github.com/envoyproxy/gateway/internal/infrastructure/kubernetes/proxy"
	"github.com/envoyproxy/gateway/internal/ir"
	"github.com/envoyproxy/gateway/internal/message"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

//go:linkname createOrUpdateService github.com/envoyproxy/gateway/internal/infrastructure/kubernetes.(*Infra).createOrUpdateService
func createOrUpdateService(i *kubernetes.Infra, ctx context.Context, r kubernetes.ResourceRender) error

// classes answers for the GatewayClass, which owns the Service.
type classes struct {
	client.Client
	meta metav1.ObjectMeta
}

func (c classes) Get(ctx context.Context, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
	if class, ok := object.(*gwapiv1.GatewayClass); ok {
		class.ObjectMeta = c.meta
		return nil
	}
	return c.Client.Get(ctx, key, object, options...)
}

// Reconcile writes the Service of the Envoys of a Gateway.
func Reconcile(ctx context.Context, c client.Client, meta metav1.ObjectMeta, annotations map[string]string, spec corev1.ServiceSpec) error {
	server, err := config.New(io.Discard, io.Discard)
	if err != nil {
		return err
	}
	server.ControllerNamespace = meta.Namespace
	infra := kubernetes.NewInfra(classes{c, meta}, server, message.RunnerErrorNotifier{})
	resource := ir.NewInfra()
	resource.Proxy.Name = meta.Namespace + "/" + meta.Name
	resource.Proxy.Metadata.Labels = gatewayapi.GatewayOwnerLabels(meta.Namespace, meta.Name)
	resource.Proxy.Metadata.OwnerReference = &ir.ResourceMetadata{Kind: "GatewayClass", Name: meta.Name}
	resource.Proxy.Listeners = []*ir.ProxyListener{{Ports: []ir.ListenerPort{{Name: "http", Protocol: ir.HTTPProtocolType, ServicePort: 80, ContainerPort: 10080}}}}
	resource.Proxy.Config = &egv1a1.EnvoyProxy{}
	service := resource.Proxy.Config.GetEnvoyProxyProvider().GetEnvoyProxyKubeProvider().EnvoyService
	kind := egv1a1.ServiceType(spec.Type)
	service.Type, service.LoadBalancerClass = &kind, spec.LoadBalancerClass
	service.Annotations, service.LoadBalancerSourceRanges = annotations, spec.LoadBalancerSourceRanges
	render, err := proxy.NewResourceRender(ctx, infra, resource)
	if err != nil {
		return err
	}
	return createOrUpdateService(infra, ctx, render)
}
