package example.edge;

import io.github.cdk8sloadbalancers.ILoadBalancerController;
import io.github.cdk8sloadbalancers.LoadBalancerPlan;
import io.github.cdk8sloadbalancers.LoadBalancerRequest;
import io.github.cdk8sloadbalancers.LoadBalancerWish;
import io.github.cdk8sloadbalancers.NodeRestriction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.constructs.Construct;

/** The balancers of an Acme appliance, which this platform runs beside those of the cloud. */
public final class AcmeController implements ILoadBalancerController {
    @Override
    public String getName() {
        return "acme";
    }

    @Override
    public LoadBalancerPlan bind(Construct scope, LoadBalancerRequest request) {
        Map<String, String> annotations = new HashMap<>();
        boolean internetFacing = Boolean.TRUE.equals(request.getInternetFacing());
        annotations.put("lb.acme.example/network", internetFacing ? "internet" : "office");
        Map<String, String> answers = new HashMap<>();
        if (request.getScheme() != null) {
            answers.put(LoadBalancerWish.SCHEME.name(), "annotation lb.acme.example/network");
        }
        NodeRestriction restriction = NodeRestriction.NONE;
        if (request.getBackendNodes() != null) {
            String nodes = new TreeMap<>(request.getBackendNodes().getLabels()).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
            annotations.put("lb.acme.example/nodes", nodes);
            answers.put(LoadBalancerWish.BACKEND_NODES.name(), "annotation lb.acme.example/nodes");
            restriction = NodeRestriction.ON_SERVICE;
        }
        if (request.getTrafficPolicy() != null) {
            answers.put(LoadBalancerWish.TRAFFIC_POLICY.name(), "externalTrafficPolicy");
        }
        return LoadBalancerPlan.builder()
            .owner(getName())
            .loadBalancerClass("lb.acme.example/appliance")
            .finalizers(List.of("lb.acme.example/cleanup"))
            .annotations(annotations)
            .externalTrafficPolicy(request.getTrafficPolicy())
            .nodeRestriction(restriction)
            .answers(answers)
            .build();
    }
}
