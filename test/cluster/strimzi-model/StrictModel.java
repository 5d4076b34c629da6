import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads one object of Strimzi as JSON from each line, into Strimzi's own classes, and answers each with a line: what those
 * classes have no place for, as JSON pointers, and the object as they give it back.
 */
public final class StrictModel {
    private static final String MODEL = "io.strimzi.api.kafka.model.";
    private static final Map<String, String> CLASSES = Map.of(
        "Kafka", "kafka.Kafka",
        "KafkaNodePool", "nodepool.KafkaNodePool",
        "KafkaTopic", "topic.KafkaTopic",
        "KafkaUser", "user.KafkaUser",
        "StrimziPodSet", "podset.StrimziPodSet"
    );

    /** The classes keep what they do not know; here they may not. */
    private static final class NothingElse extends JacksonAnnotationIntrospector {
        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    /** The classes do not write what is so by default; here they do. */
    private static final class NothingLess extends JacksonAnnotationIntrospector {
        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
            return JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
        }
    }

    private static final class Unknown extends DeserializationProblemHandler {
        private final List<String> pointers = new ArrayList<>();

        @Override
        public boolean handleUnknownProperty(
            DeserializationContext context, JsonParser parser, JsonDeserializer<?> deserializer, Object bean, String name
        ) throws IOException {
            pointers.add(parser.getParsingContext().pathAsPointer().toString());
            parser.skipChildren();
            return true;
        }

        @Override
        public JavaType handleUnknownTypeId(
            DeserializationContext context, JavaType base, String id, TypeIdResolver resolver, String message
        ) {
            return context.constructType(Void.class);
        }
    }

    private static ObjectNode answer(JsonNode object) throws ClassNotFoundException {
        ObjectMapper plain = new ObjectMapper();
        Unknown unknown = new Unknown();
        ObjectMapper strict = new ObjectMapper().setAnnotationIntrospector(new NothingElse()).addHandler(unknown);
        ObjectMapper complete = new ObjectMapper().setAnnotationIntrospector(new NothingLess());
        ObjectNode answer = plain.createObjectNode();
        String kind = object.path("kind").asText();
        if (!CLASSES.containsKey(kind)) {
            throw new IllegalArgumentException("StrictModel.java names no class for kind " + kind + ": add it");
        }
        try {
            Class<?> model = Class.forName(MODEL + CLASSES.get(kind));
            answer.set("model", complete.valueToTree(strict.treeToValue(object, model)));
        } catch (JsonMappingException error) {
            answer.put("refusal", error.getPathReference() + ": " + error.getOriginalMessage());
        } catch (IOException error) {
            answer.put("refusal", error.getMessage());
        }
        ArrayNode pointers = answer.putArray("unknown");
        unknown.pointers.forEach(pointers::add);
        return answer;
    }

    public static void main(String[] args) throws IOException, ClassNotFoundException {
        ObjectMapper plain = new ObjectMapper();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(answer(plain.readTree(line)));
        }
    }
}
