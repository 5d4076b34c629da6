package platform

import (
	"slices"
	"strings"

	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	lb "github.com/cdk8s-load-balancers/cdk8s-load-balancers-go/cdk8sloadbalancers"
)

// acmeController is for the balancers of an Acme appliance, which this platform runs beside those of the cloud.
// Its methods have a pointer receiver: by value it could not be called.
type acmeController struct{}

func (*acmeController) Name() *string {
	return jsii.String("acme")
}

func (acme *acmeController) Bind(_ constructs.Construct, request lb.LoadBalancerRequest) *lb.LoadBalancerPlan {
	network := "office"
	if *request.InternetFacing() {
		network = "internet"
	}
	annotations := map[string]*string{"lb.acme.example/network": jsii.String(network)}
	answers := map[string]*string{}
	if request.Scheme() != "" {
		answers[string(lb.LoadBalancerWish_SCHEME)] = jsii.String("annotation lb.acme.example/network")
	}
	restriction := lb.NodeRestriction_NONE
	if nodes := request.BackendNodes(); nodes != nil {
		var labels []string
		for key, value := range *nodes.Labels() {
			labels = append(labels, key+"="+*value)
		}
		slices.Sort(labels)
		annotations["lb.acme.example/nodes"] = jsii.String(strings.Join(labels, ","))
		answers[string(lb.LoadBalancerWish_BACKEND_NODES)] = jsii.String("annotation lb.acme.example/nodes")
		restriction = lb.NodeRestriction_ON_SERVICE
	}
	if request.TrafficPolicy() != "" {
		answers[string(lb.LoadBalancerWish_TRAFFIC_POLICY)] = jsii.String("externalTrafficPolicy")
	}
	return &lb.LoadBalancerPlan{
		Owner:                 acme.Name(),
		LoadBalancerClass:     jsii.String("lb.acme.example/appliance"),
		Finalizers:            jsii.Strings("lb.acme.example/cleanup"),
		Annotations:           &annotations,
		ExternalTrafficPolicy: request.TrafficPolicy(),
		NodeRestriction:       restriction,
		Answers:               &answers,
	}
}
