using Cdk8sLoadBalancers;
using Org.Cdk8s;

namespace EdgePlatform
{
    internal static class Mistake
    {
        /// <summary>Fails on purpose, and writes nothing: an internal balancer has no Elastic IP.</summary>
        internal static void Synth()
        {
            var app = new App();
            var chart = new Chart(app, "edge", new ChartProps { Namespace = "edge" });
            var options = new AwsLoadBalancerControllerNlbOptions { TargetType = NlbTargetType.INSTANCE };
            new LoadBalancedService(chart, "Address", new LoadBalancedServiceProps
            {
                Controller = AwsLoadBalancerController.Nlb(options),
                Workload = Workload.Of(chart, "Echo"),
                Ports = new ILoadBalancerPort[] { new LoadBalancerPort { Port = 443, TargetPort = 8443 } },
                StaticAddresses = new[] { "eipalloc-0123456789abcdef0" },
            });
            app.Synth();
        }
    }
}
