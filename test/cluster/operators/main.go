// The code by which operators write the Service of a load balancer, from their own modules. The arguments are a kubeconfig and the user
// to act as. Each line of its input is a reconciliation, as JSON; a line of its output says how many requests wrote, and why it failed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	_ "unsafe" // for go:linkname

	percona122 "cdk8s-load-balancers.example/percona-1.22/pkg/util"
	cloudnativepg "github.com/cloudnative-pg/cloudnative-pg/services"
	eckv1 "github.com/elastic/cloud-on-k8s/v3/pkg/apis/elasticsearch/v1"
	eck "github.com/elastic/cloud-on-k8s/v3/pkg/controller/common"
	envoygateway "github.com/envoyproxy/gateway/services"
	knative "github.com/manifestival/client-go-client"
	"github.com/manifestival/manifestival"
	percona "github.com/percona/percona-server-mongodb-operator/pkg/util"
	contour "github.com/projectcontour/contour/services"
	scylla "github.com/scylladb/scylla-operator/pkg/resourceapply"
	"github.com/sirupsen/logrus"
	zalandov1 "github.com/zalando/postgres-operator/pkg/apis/acid.zalan.do/v1"
	zalando "github.com/zalando/postgres-operator/pkg/cluster"
	"github.com/zalando/postgres-operator/pkg/util/config"
	"github.com/zalando/postgres-operator/pkg/util/k8sutil"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// resource is what a custom resource says of the Service.
type resource struct {
	config      *rest.Config
	client      client.Client
	meta        metav1.ObjectMeta
	annotations map[string]string
	spec        corev1.ServiceSpec
}

// operators are known by their modules.
var operators = map[string]func(context.Context, resource) error{
	"cdk8s-load-balancers.example/percona-1.22": func(ctx context.Context, r resource) error {
		_, err := percona122.Apply(ctx, r.client, r.service())
		return err
	},
	"github.com/percona/percona-server-mongodb-operator": func(ctx context.Context, r resource) error {
		_, err := percona.Apply(ctx, r.client, r.service())
		return err
	},
	"github.com/cloudnative-pg/cloudnative-pg": func(ctx context.Context, r resource) error {
		return cloudnativepg.Reconcile(ctx, r.client, r.meta, r.annotations, r.spec)
	},
	"github.com/elastic/cloud-on-k8s/v3": func(ctx context.Context, r resource) error {
		service := r.service()
		service.OwnerReferences = nil
		_, err := eck.ReconcileService(ctx, r.client, service, &eckv1.Elasticsearch{ObjectMeta: r.meta})
		return err
	},
	"github.com/projectcontour/contour": func(ctx context.Context, r resource) error {
		return contour.Reconcile(ctx, r.client, r.meta.Namespace, r.annotations, r.spec.Type)
	},
	"helm.sh/helm/v3": func(_ context.Context, r resource) error { return reconcileHelm(r) },
	"github.com/envoyproxy/gateway": func(ctx context.Context, r resource) error {
		return envoygateway.Reconcile(ctx, r.client, r.meta, r.annotations, r.spec)
	},
	"github.com/manifestival/manifestival": reconcileKnative,
	"github.com/scylladb/scylla-operator":  reconcileScylla,
	"github.com/zalando/postgres-operator": reconcileZalando,
}

// order asks for a reconciliation.
type order struct {
	Operator, Namespace string
	// Content stands for what the author of the custom resource wrote, and the others for the type and the class that it gives the Service.
	Content     int
	Type, Class string
}

// outcome is what came of it.
type outcome struct {
	Release string `json:"release"`
	Writes  int    `json:"writes"`
	Failure string `json:"failure,omitempty"`
}

func main() {
	logrus.SetOutput(io.Discard)
	// which Zalando's would otherwise look for in its pod
	os.Setenv("OPERATOR_NAMESPACE", "operators")
	// where Helm looks for a cluster, and keeps what it learns of it
	os.Setenv("KUBECONFIG", os.Args[1])
	os.Setenv("KUBECACHEDIR", filepath.Dir(os.Args[1]))
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(kubeconfig, user string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.Impersonate.UserName = user
	config.QPS, config.Burst = 200, 400
	writes := 0
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counter{next, &writes} })
	if err := eckv1.AddToScheme(scheme.Scheme); err != nil {
		return err
	}
	c, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		return err
	}
	orders, outcomes := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var o order
		if err := orders.Decode(&o); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		reconcile, known := operators[o.Operator]
		if !known {
			return fmt.Errorf("no operator is called %s", o.Operator)
		}
		writes = 0
		done := outcome{Release: release(o.Operator)}
		if err := reconcile(context.Background(), o.resource(config, c)); err != nil {
			done.Failure = err.Error()
		}
		done.Writes = writes
		if err := outcomes.Encode(done); err != nil {
			return err
		}
	}
}

// release is the module of an operator as it was built.
func release(operator string) string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == operator && module.Replace != nil {
			module = module.Replace
		} else if module.Path != operator {
			continue
		}
		return module.Path + " " + module.Version
	}
	return operator
}

func (o order) resource(config *rest.Config, c client.Client) resource {
	spec := corev1.ServiceSpec{Type: corev1.ServiceType(o.Type)}
	if o.Type == "LoadBalancer" {
		spec.LoadBalancerSourceRanges = []string{fmt.Sprintf("10.%d.0.0/16", o.Content)}
	}
	if o.Class != "" {
		spec.LoadBalancerClass = &o.Class
	}
	return resource{
		config:      config,
		client:      c,
		meta:        metav1.ObjectMeta{Name: "db", Namespace: o.Namespace, UID: "3b241101-e2bb-4255-8caf-4136c566a962"},
		annotations: map[string]string{"example.com/content": strconv.Itoa(o.Content)},
		spec:        spec,
	}
}

// service is what Percona's, Elastic's, Scylla's and Knative's functions take: they render it elsewhere, from the same fields of their resources.
func (r resource) service() *corev1.Service {
	spec := r.spec
	spec.Selector = map[string]string{"app": r.meta.Name}
	spec.Ports = []corev1.ServicePort{{Name: "db", Protocol: corev1.ProtocolTCP, Port: 9000}}
	owner := metav1.NewControllerRef(&r.meta, corev1.SchemeGroupVersion.WithKind("Database"))
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name:            r.meta.Name,
			Namespace:       r.meta.Namespace,
			Labels:          map[string]string{"app": r.meta.Name},
			Annotations:     r.annotations,
			OwnerReferences: []metav1.OwnerReference{*owner},
		},
		Spec: spec,
	}
}

func reconcileScylla(ctx context.Context, r resource) error {
	clients, err := kubernetes.NewForConfig(r.config)
	if err != nil {
		return err
	}
	// what its informer would hold
	seen := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	live, err := clients.CoreV1().Services(r.meta.Namespace).Get(ctx, r.meta.Name, metav1.GetOptions{})
	if err == nil {
		err = seen.Add(live)
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	lister := v1.NewServiceLister(seen)
	_, _, err = scylla.ApplyService(ctx, clients.CoreV1(), lister, &record.FakeRecorder{}, r.service(), scylla.ApplyOptions{})
	return err
}

// manifest is the Service as files have it, without an owner.
func (r resource) manifest() map[string]any {
	service := r.service()
	service.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Service"))
	service.OwnerReferences = nil
	// without which this type would say 0
	service.Spec.Ports[0].TargetPort = intstr.FromInt32(service.Spec.Ports[0].Port)
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(service)
	if err != nil {
		panic(err)
	}
	delete(content, "status")
	return content
}

// reconcileKnative calls the module by which Knative's operator writes each object of a release, with the client that it gives it.
func reconcileKnative(_ context.Context, r resource) error {
	writer, err := knative.NewClient(r.config)
	if err != nil {
		return err
	}
	service := unstructured.Unstructured{Object: r.manifest()}
	// as its transformers do
	service.SetOwnerReferences(r.service().OwnerReferences)
	objects := manifestival.Slice{service}
	manifest, err := manifestival.ManifestFrom(objects, manifestival.UseClient(writer))
	if err != nil {
		return err
	}
	return manifest.Apply()
}

//go:linkname syncService github.com/zalando/postgres-operator/pkg/cluster.(*Cluster).syncService
func syncService(c *zalando.Cluster, role zalando.PostgresRole) error

func reconcileZalando(_ context.Context, r resource) error {
	clients, err := k8sutil.NewFromConfig(r.config)
	if err != nil {
		return err
	}
	isBalanced := r.spec.Type == corev1.ServiceTypeLoadBalancer
	resource := zalandov1.Postgresql{ObjectMeta: r.meta, Spec: zalandov1.PostgresSpec{
		TeamID:                   "db",
		EnableMasterLoadBalancer: &isBalanced,
		AllowedSourceRanges:      r.spec.LoadBalancerSourceRanges,
		ServiceAnnotations:       r.annotations,
	}}
	options := zalando.Config{OpConfig: *config.NewFromMap(map[string]string{})}
	cluster := zalando.New(options, clients, resource, logrus.NewEntry(logrus.StandardLogger()), &record.FakeRecorder{})
	return syncService(cluster, zalando.Master)
}

// counter counts the requests that write Services.
type counter struct {
	next   http.RoundTripper
	writes *int
}

func (c counter) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet && strings.Contains(request.URL.Path, "/services") {
		*c.writes++
	}
	return c.next.RoundTrip(request)
}
