// Command mistake fails on purpose, and writes nothing: an internal balancer has no Elastic IP.
package main

import (
	"example.com/edge-platform/platform"
	"github.com/aws/jsii-runtime-go"
	lb "github.com/cdk8s-load-balancers/cdk8s-load-balancers-go/cdk8sloadbalancers"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

func main() {
	defer jsii.Close()
	app := cdk8s.NewApp(nil)
	chart := cdk8s.NewChart(app, jsii.String("edge"), &cdk8s.ChartProps{Namespace: jsii.String("edge")})
	lb.NewLoadBalancedService(chart, jsii.String("Address"), &lb.LoadBalancedServiceProps{
		Controller: lb.AwsLoadBalancerController_Nlb(&lb.AwsLoadBalancerControllerNlbOptions{
			TargetType: lb.NlbTargetType_INSTANCE,
		}),
		Workload:        platform.Workload(chart, "Echo"),
		Ports:           &[]*lb.LoadBalancerPort{{Port: jsii.Number(443), TargetPort: jsii.Number(8443)}},
		StaticAddresses: jsii.Strings("eipalloc-0123456789abcdef0"),
	})
	app.Synth()
}
