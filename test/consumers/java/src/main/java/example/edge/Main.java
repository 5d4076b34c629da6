package example.edge;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cdk8sloadbalancers.IamPolicy;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.cdk8s.App;

/** Writes dist/*.k8s.yaml, and permissions.json for the stack that makes the role of the controller. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        App app = new App();
        List<Map<String, Object>> permissions =
            new Platform(app).permissions().stream().map(IamPolicy::toPolicyDocument).toList();
        app.synth();
        new ObjectMapper().writeValue(new File("permissions.json"), permissions);
    }
}
