package example.edge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cdk8s.ApiObject;
import org.cdk8s.ApiObjectMetadata;
import org.cdk8s.ApiObjectProps;
import org.cdk8s.JsonPatch;
import software.constructs.Construct;

/** A Deployment of echo servers that listen on 8443. */
final class Workload {
    private Workload() {}

    static ApiObject of(Construct scope, String id) {
        String name = id.toLowerCase();
        Map<String, String> labels = Map.of("app", name);
        ApiObject deployment = new ApiObject(scope, id, ApiObjectProps.builder()
            .apiVersion("apps/v1")
            .kind("Deployment")
            .metadata(ApiObjectMetadata.builder().name(name).build())
            .build());
        Object port = ordered("name", "https", "containerPort", 8443);
        Object container =
            ordered("name", "echo", "image", "registry.example/echo:1.4.2", "ports", List.of(port));
        deployment.addJsonPatch(JsonPatch.add("/spec", ordered(
            "replicas", 2,
            "selector", ordered("matchLabels", labels),
            "template", ordered(
                "metadata", ordered("labels", labels),
                "spec", ordered("containers", List.of(container))))));
        return deployment;
    }

    /** A map that keeps its order, which {@code Map.of} does not: the manifests would be other ones at each run. */
    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            map.put((String) keysAndValues[at], keysAndValues[at + 1]);
        }
        return map;
    }
}
