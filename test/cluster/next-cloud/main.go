// The service controller of the next version of Kubernetes over the ledger of the control plane, so that one version takes over
// from the other. Its argument is a kubeconfig; it lives as long as its standard input.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"os"

	"cdk8s-load-balancers.example/ledger-cloud"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/cloud-provider/controllers/service"
	"k8s.io/component-base/featuregate"
	"k8s.io/component-base/metrics/prometheus/controllers"
	"k8s.io/klog/v2"
)

// workers is how many Services it looks at at a time.
const workers = 8

func main() {
	klog.InitFlags(nil)
	flag.Parse()
	if err := run(flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func run(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ledgercloud.Register()
	cloud, err := ledgercloud.Init()
	if err != nil {
		return err
	}
	ctx := context.Background()
	factory := informers.NewSharedInformerFactory(client, 0)
	core := factory.Core().V1()
	controller, err := service.New(cloud, client, core.Services(), core.Nodes(), "kubernetes", featuregate.NewFeatureGate())
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	go controller.Run(ctx, workers, controllers.NewControllerManagerMetrics("next-cloud"))
	return nil
}
