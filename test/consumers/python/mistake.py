"""Fails on purpose, and writes nothing: an internal balancer has no Elastic IP."""

from cdk8s import App, Chart
from cdk8s_load_balancers import AwsLoadBalancerController, LoadBalancedService, LoadBalancerPort, NlbTargetType

from workload import workload

app = App()
chart = Chart(app, "edge", namespace="edge")
LoadBalancedService(
    chart,
    "Address",
    controller=AwsLoadBalancerController.nlb(target_type=NlbTargetType.INSTANCE),
    workload=workload(chart, "Echo"),
    ports=[LoadBalancerPort(port=443, target_port=8443)],
    static_addresses=["eipalloc-0123456789abcdef0"],
)
app.synth()
