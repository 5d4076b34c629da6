package example.edge;

import io.github.cdk8sloadbalancers.AwsLoadBalancerController;
import io.github.cdk8sloadbalancers.AwsLoadBalancerControllerNlbOptions;
import io.github.cdk8sloadbalancers.LoadBalancedService;
import io.github.cdk8sloadbalancers.LoadBalancerPort;
import io.github.cdk8sloadbalancers.NlbTargetType;
import java.util.List;
import org.cdk8s.App;
import org.cdk8s.Chart;
import org.cdk8s.ChartProps;

/** Fails on purpose, and writes nothing: an internal balancer has no Elastic IP. */
public final class Mistake {
    private Mistake() {}

    public static void main(String[] args) {
        App app = new App();
        Chart chart = new Chart(app, "edge", ChartProps.builder().namespace("edge").build());
        AwsLoadBalancerControllerNlbOptions options =
            AwsLoadBalancerControllerNlbOptions.builder().targetType(NlbTargetType.INSTANCE).build();
        LoadBalancedService.Builder.create(chart, "Address")
            .controller(AwsLoadBalancerController.nlb(options))
            .workload(Workload.of(chart, "Echo"))
            .ports(List.of(LoadBalancerPort.builder().port(443).targetPort(8443).build()))
            .staticAddresses(List.of("eipalloc-0123456789abcdef0"))
            .build();
        app.synth();
    }
}
