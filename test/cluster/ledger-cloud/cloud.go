// Package ledgercloud is a cloud to a service controller, of whatever version, that keeps no more than a ledger.
package ledgercloud

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"

	v1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

// Name is what the cloud is called.
const Name = "ledger"

// ledgerCloud is a cloud to the service controller: it writes down every request and carries out none.
type ledgerCloud struct {
	ledger Ledger
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
func (c *ledgerCloud) ProviderName() string                                              { return Name }
func (c *ledgerCloud) HasClusterID() bool                                                { return true }

// GetLoadBalancerName follows the UID of the Service, as clouds do: a Service of the same name is another one.
func (c *ledgerCloud) GetLoadBalancerName(_ context.Context, _ string, service *v1.Service) string {
	return cloudprovider.DefaultLoadBalancerName(service)
}

func (c *ledgerCloud) GetLoadBalancer(ctx context.Context, _ string, service *v1.Service) (*v1.LoadBalancerStatus, bool, error) {
	found, err := c.ledger.Has(ctx, Name, c.GetLoadBalancerName(ctx, "", service))
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
	return StatusWith(ip), nil
}

func (c *ledgerCloud) UpdateLoadBalancer(ctx context.Context, _ string, service *v1.Service, nodes []*v1.Node) error {
	if c.isElsewhere(service) {
		return cloudprovider.ImplementedElsewhere
	}
	_, err := c.put(ctx, "update", service, nodes)
	return err
}

func (c *ledgerCloud) EnsureLoadBalancerDeleted(ctx context.Context, _ string, service *v1.Service) error {
	return c.ledger.Delete(ctx, Name, c.GetLoadBalancerName(ctx, "", service))
}

func (c *ledgerCloud) put(ctx context.Context, call string, service *v1.Service, nodes []*v1.Node) (string, error) {
	asked := Entry{Call: call, Service: service.Namespace + "/" + service.Name, UID: string(service.UID), Nodes: []string{}}
	for _, node := range nodes {
		asked.Nodes = append(asked.Nodes, node.Name)
	}
	slices.Sort(asked.Nodes)
	return c.ledger.Put(ctx, Name, c.GetLoadBalancerName(ctx, "", service), asked)
}

func (c *ledgerCloud) isElsewhere(service *v1.Service) bool {
	for key, values := range c.elsewhere {
		if slices.Contains(values, service.Annotations[key]) {
			return true
		}
	}
	return false
}

// Register makes the cloud known by its name; the environment names the account, and the Services that are left to others.
func Register() {
	cloudprovider.RegisterCloudProvider(Name, func(io.Reader) (cloudprovider.Interface, error) {
		cloud := &ledgerCloud{ledger: NewLedger()}
		return cloud, json.Unmarshal([]byte(os.Getenv("LEDGER_ELSEWHERE")), &cloud.elsewhere)
	})
}

// Init is the cloud, once it has been registered.
func Init() (cloudprovider.Interface, error) {
	return cloudprovider.InitCloudProvider(Name, "")
}
