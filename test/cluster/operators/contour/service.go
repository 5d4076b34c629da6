// Package services is a path below Contour's, so that its internal packages may be called.
package services

import (
	"context"

	"github.com/projectcontour/contour/internal/provisioner/model"
	"github.com/projectcontour/contour/internal/provisioner/objects/service"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reconcile writes the Service of an Envoy with some annotations.
func Reconcile(ctx context.Context, c client.Client, namespace string, annotations map[string]string, kind corev1.ServiceType) error {
	contour := model.Default(namespace, "db")
	publishing := &contour.Spec.NetworkPublishing.Envoy
	publishing.Type = model.NetworkPublishingType(kind + "Service")
	publishing.Ports = []model.Port{{Name: "http", ServicePort: 80, ContainerPort: 8080}}
	publishing.ServiceAnnotations = annotations
	return service.EnsureEnvoyService(ctx, c, contour)
}
