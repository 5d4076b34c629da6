package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"slices"

	"github.com/spf13/cobra"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	cliflag "k8s.io/component-base/cli/flag"
)

const cloudName = "ledger"

// ledgerCloud is a cloud to the service controller: it writes down every request and carries out none.
type ledgerCloud struct {
	ledger ledger
	// elsewhere lists annotations and values with which the clouds of old leave a Service to another controller.
	elsewhere map[string][]string
}

func (c *ledgerCloud) Initialize(cloudprovider.ControllerClientBuilder, <-chan struct{}) {}
func (c *ledgerCloud) LoadBalancer() (cloudprovider.LoadBalancer, bool)                  { return c, true }
func (c *ledgerCloud) Instances() (cloudprovider.Instances, bool)                        { return nil, false }
func (c *ledgerCloud) InstancesV2() (cloudprovider.InstancesV2, bool)                    { return nil, false }
func (c *ledgerCloud) Zones() (cloudprovider.Zones, bool)                                { return nil, false }
func (c *ledgerCloud) Clusters() (cloudprovider.Clusters, bool)                          { return nil, false }
func (c *ledgerCloud) Routes() (cloudprovider.Routes, bool)                              { return nil, false }
func (c *ledgerCloud) ProviderName() string                                              { return cloudName }
func (c *ledgerCloud) HasClusterID() bool                                                { return true }

// GetLoadBalancerName follows the UID of the Service, as clouds do: a Service of the same name is another one.
func (c *ledgerCloud) GetLoadBalancerName(_ context.Context, _ string, service *v1.Service) string {
	return cloudprovider.DefaultLoadBalancerName(service)
}

func (c *ledgerCloud) GetLoadBalancer(ctx context.Context, _ string, service *v1.Service) (*v1.LoadBalancerStatus, bool, error) {
	found, err := c.ledger.has(ctx, cloudName, c.GetLoadBalancerName(ctx, "", service))
	return &v1.LoadBalancerStatus{}, found, err
}

func (c *ledgerCloud) EnsureLoadBalancer(ctx context.Context, _ string, service *v1.Service, nodes []*v1.Node) (*v1.LoadBalancerStatus, error) {
	if c.isElsewhere(service) {
		return nil, cloudprovider.ImplementedElsewhere
	}
	ip, err := c.put(ctx, "ensure", service, nodes)
	if err != nil {
		return nil, err
	}
	return statusWith(ip), nil
}

func (c *ledgerCloud) UpdateLoadBalancer(ctx context.Context, _ string, service *v1.Service, nodes []*v1.Node) error {
	if c.isElsewhere(service) {
		return cloudprovider.ImplementedElsewhere
	}
	_, err := c.put(ctx, "update", service, nodes)
	return err
}

func (c *ledgerCloud) EnsureLoadBalancerDeleted(ctx context.Context, _ string, service *v1.Service) error {
	return c.ledger.delete(ctx, cloudName, c.GetLoadBalancerName(ctx, "", service))
}

func (c *ledgerCloud) put(ctx context.Context, call string, service *v1.Service, nodes []*v1.Node) (string, error) {
	asked := entry{Call: call, Service: service.Namespace + "/" + service.Name, UID: string(service.UID), Nodes: []string{}}
	for _, node := range nodes {
		asked.Nodes = append(asked.Nodes, node.Name)
	}
	slices.Sort(asked.Nodes)
	return c.ledger.put(ctx, cloudName, c.GetLoadBalancerName(ctx, "", service), asked)
}

func (c *ledgerCloud) isElsewhere(service *v1.Service) bool {
	for key, values := range c.elsewhere {
		if slices.Contains(values, service.Annotations[key]) {
			return true
		}
	}
	return false
}

// newCloudCommand is a cloud controller manager with nothing but the service controller in it.
func newCloudCommand() *cobra.Command {
	cloudprovider.RegisterCloudProvider(cloudName, func(io.Reader) (cloudprovider.Interface, error) {
		cloud := &ledgerCloud{ledger: newLedger()}
		return cloud, json.Unmarshal([]byte(os.Getenv("LEDGER_ELSEWHERE")), &cloud.elsewhere)
	})
	flags, err := options.NewCloudControllerManagerOptions()
	if err != nil {
		log.Fatal(err)
	}
	only := map[string]app.ControllerInitFuncConstructor{
		names.ServiceLBController: app.DefaultInitFuncConstructors[names.ServiceLBController],
	}
	return app.NewCloudControllerManagerCommand(flags, func(*config.CompletedConfig) cloudprovider.Interface {
		cloud, err := cloudprovider.InitCloudProvider(cloudName, "")
		if err != nil {
			log.Fatal(err)
		}
		return cloud
	}, only, names.CCMControllerAliases(), cliflag.NamedFlagSets{}, wait.NeverStop)
}
