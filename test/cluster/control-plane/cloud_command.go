package main

import (
	"log"

	"cdk8s-load-balancers.example/ledger-cloud"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	cliflag "k8s.io/component-base/cli/flag"
)

// newCloudCommand is a cloud controller manager with nothing but the service controller in it.
func newCloudCommand() *cobra.Command {
	ledgercloud.Register()
	flags, err := options.NewCloudControllerManagerOptions()
	if err != nil {
		log.Fatal(err)
	}
	only := map[string]app.ControllerInitFuncConstructor{
		names.ServiceLBController: app.DefaultInitFuncConstructors[names.ServiceLBController],
	}
	return app.NewCloudControllerManagerCommand(flags, func(*config.CompletedConfig) cloudprovider.Interface {
		cloud, err := ledgercloud.Init()
		if err != nil {
			log.Fatal(err)
		}
		return cloud
	}, only, names.CCMControllerAliases(), cliflag.NamedFlagSets{}, wait.NeverStop)
}
