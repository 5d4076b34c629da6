package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"cdk8s-load-balancers.example/ledger-cloud"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
	"k8s.io/client-go/util/workqueue"
)

// workers of one owner, as many as the AWS Load Balancer Controller has for Services.
const workers = 3

// ownerController is a model of a controller that serves some Services. Its rules are those that were seen on the AWS Load
// Balancer Controller (kubernetes-sigs/aws-load-balancer-controller v3.5.0, controllers/service, pkg/k8s/finalizer.go):
//   - what it claims gets the finalizer before the balancer, then the balancer, then an address;
//   - an update of finalizers, labels or status alone is not looked at; of annotations or spec, or a deletion, it is;
//   - a Service in deletion, or one that it does not claim, loses balancer, address and finalizer, if it has the finalizer;
//   - a Service that is gone is not looked at, so that a balancer whose finalizer was lost stays behind;
//   - a balancer is known by namespace and name, so that a Service of the same name adopts what was left behind.
//
// An owner without a finalizer takes its balancer back when the Service is gone, or asks for none any more.
type ownerController struct {
	owner
	ledger   ledgercloud.Ledger
	client   kubernetes.Interface
	services listers.ServiceLister
	queue    workqueue.TypedRateLimitingInterface[string]
}

// runOwners runs a controller for each line of the table.
func runOwners(kubeconfig, table string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	var owners []owner
	if err := json.Unmarshal(text, &owners); err != nil {
		return err
	}
	ctx := context.Background()
	factory := informers.NewSharedInformerFactory(client, 0)
	services := factory.Core().V1().Services()
	var controllers []*ownerController
	for _, line := range owners {
		delays := workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 10*time.Second)
		controller := &ownerController{line, ledgercloud.NewLedger(), client, services.Lister(), workqueue.NewTypedRateLimitingQueue(delays)}
		if err := controller.watch(services.Informer()); err != nil {
			return err
		}
		controllers = append(controllers, controller)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for _, controller := range controllers {
		for range max(workers, controller.Workers) {
			go controller.work(ctx)
		}
	}
	fmt.Println("watching")
	select {}
}

// watch puts into the queue what such a controller looks at.
func (c *ownerController) watch(informer cache.SharedIndexInformer) error {
	add := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			c.queue.Add(key)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add,
		UpdateFunc: func(before, after any) {
			old, now := before.(*v1.Service), after.(*v1.Service)
			if !reflect.DeepEqual(old.Annotations, now.Annotations) || !reflect.DeepEqual(old.Spec, now.Spec) ||
				old.DeletionTimestamp.IsZero() != now.DeletionTimestamp.IsZero() {
				add(after)
			}
		},
		DeleteFunc: func(object any) {
			if c.Finalizer == "" {
				add(object)
			}
		},
	})
	return err
}

func (c *ownerController) work(ctx context.Context) {
	for {
		key, stop := c.queue.Get()
		if stop {
			return
		}
		if err := c.reconcile(ctx, key); err != nil {
			log.Printf("%s: %s: %v", c.Name, key, err)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *ownerController) reconcile(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	service, err := c.services.Services(namespace).Get(name)
	switch {
	case errors.IsNotFound(err):
		if c.Finalizer == "" {
			return c.ledger.Delete(ctx, c.Name, balancerName(key))
		}
		return nil
	case err != nil:
		return err
	case c.claims(service) && service.DeletionTimestamp.IsZero():
		return c.serve(ctx, service, key)
	case c.marks(service), c.Finalizer == "" && service.Spec.Type != v1.ServiceTypeLoadBalancer:
		return c.release(ctx, service, key)
	}
	return nil
}

func (c *ownerController) serve(ctx context.Context, service *v1.Service, key string) error {
	if c.Finalizer != "" && !c.marks(service) {
		if err := c.edit(ctx, service, func(finalizers []string) []string {
			if slices.Contains(finalizers, c.Finalizer) {
				return finalizers
			}
			return append(finalizers, c.Finalizer)
		}); err != nil {
			return err
		}
	}
	ip, err := c.ledger.Put(ctx, c.Name, balancerName(key), ledgercloud.Entry{Call: "ensure", Service: key, UID: string(service.UID)})
	if err != nil {
		return err
	}
	return c.setStatus(ctx, service, *ledgercloud.StatusWith(ip))
}

func (c *ownerController) release(ctx context.Context, service *v1.Service, key string) error {
	if err := c.ledger.Delete(ctx, c.Name, balancerName(key)); err != nil {
		return err
	}
	if err := c.setStatus(ctx, service, v1.LoadBalancerStatus{}); err != nil || c.Finalizer == "" {
		return err
	}
	return c.edit(ctx, service, func(finalizers []string) []string {
		return slices.DeleteFunc(finalizers, func(each string) bool { return each == c.Finalizer })
	})
}

// edit changes the finalizers by a merge patch of the version that was read, and reads again where that one is outdated.
func (c *ownerController) edit(ctx context.Context, service *v1.Service, change func([]string) []string) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		now, err := c.services.Services(service.Namespace).Get(service.Name)
		if err != nil {
			return err
		}
		after := change(slices.Clone(now.Finalizers))
		if slices.Equal(now.Finalizers, after) {
			return nil
		}
		return c.patch(ctx, now, map[string]any{"metadata": map[string]any{
			"resourceVersion": now.ResourceVersion,
			"finalizers":      after,
		}})
	})
}

func (c *ownerController) setStatus(ctx context.Context, service *v1.Service, status v1.LoadBalancerStatus) error {
	if len(status.Ingress) == len(service.Status.LoadBalancer.Ingress) {
		return nil
	}
	// named even where it is empty, since a patch keeps what it does not name
	balancer := map[string]any{"ingress": status.Ingress}
	return c.patch(ctx, service, map[string]any{"status": map[string]any{"loadBalancer": balancer}}, "status")
}

func (c *ownerController) patch(ctx context.Context, service *v1.Service, change map[string]any, subresource ...string) error {
	body, err := json.Marshal(change)
	if err != nil {
		return err
	}
	options := metav1.PatchOptions{FieldManager: c.Name}
	_, err = c.client.CoreV1().Services(service.Namespace).Patch(ctx, service.Name, types.MergePatchType, body, options, subresource...)
	return err
}

func balancerName(key string) string {
	return strings.ReplaceAll(key, "/", "-")
}
