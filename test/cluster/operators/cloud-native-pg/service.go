// Package services is a path below CloudNativePG's, so that its internal packages may be called.
package services

import (
	"context"
	_ "unsafe" // for go:linkname

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	"github.com/cloudnative-pg/cloudnative-pg/internal/controller"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

//go:linkname reconcileManagedServices github.com/cloudnative-pg/cloudnative-pg/internal/controller.(*ClusterReconciler).reconcileManagedServices
func reconcileManagedServices(r *controller.ClusterReconciler, ctx context.Context, cluster *apiv1.Cluster) error

// Reconcile writes the additional Service of a cluster.
func Reconcile(ctx context.Context, c client.Client, meta metav1.ObjectMeta, annotations map[string]string, spec corev1.ServiceSpec) error {
	cluster := &apiv1.Cluster{ObjectMeta: meta}
	cluster.SetGroupVersionKind(apiv1.SchemeGroupVersion.WithKind(apiv1.ClusterKind))
	template := apiv1.ServiceTemplateSpec{ObjectMeta: apiv1.Metadata{Name: meta.Name + "-lb", Annotations: annotations}, Spec: spec}
	cluster.Spec.Managed = &apiv1.ManagedConfiguration{Services: &apiv1.ManagedServices{
		Additional: []apiv1.ManagedService{{
			SelectorType:    apiv1.ServiceSelectorTypeRW,
			UpdateStrategy:  apiv1.ServiceUpdateStrategyPatch,
			ServiceTemplate: template,
		}},
	}}
	return reconcileManagedServices(&controller.ClusterReconciler{Client: c, Scheme: c.Scheme()}, ctx, cluster)
}
