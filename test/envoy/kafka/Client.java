import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A client of Kafka that is told line by line what to do, and says line by line what became of it. */
public class Client {
    private static final String TOPIC = "events";
    private final Properties properties = new Properties();
    private final Admin admin;
    private final KafkaProducer<String, String> producer;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failed = new AtomicInteger();
    private int sent;
    private volatile Thread steady;

    public static void main(String[] args) throws Exception {
        new Client(args[0]).serve();
    }

    private Client(String file) throws Exception {
        try (FileInputStream in = new FileInputStream(file)) {
            properties.load(in);
        }
        admin = Admin.create(properties);
        producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    private void serve() throws Exception {
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            try {
                System.out.println(answer(words));
            } catch (Exception error) {
                System.out.println("{\"error\":\"" + error.toString().replaceAll("[\"\\\\\n]", " ") + "\"}");
            }
        }
        System.exit(0);
    }

    private String answer(String[] words) throws Exception {
        switch (words[0]) {
            case "topic":
                admin.createTopics(List.of(new NewTopic(TOPIC, Integer.parseInt(words[1]), (short) 3))).all().get();
                return "{}";
            case "brokers":
                return brokers();
            case "rebalance":
                admin.electLeaders(ElectionType.PREFERRED, null).partitions().get();
                return "{}";
            case "in-sync":
                return inSync();
            case "produce":
                for (int i = Integer.parseInt(words[1]); i > 0; i--) send();
                producer.flush();
                return sums();
            case "begin":
                steady = new Thread(this::produceSteadily);
                steady.start();
                return "{}";
            case "end":
                Thread ending = steady;
                steady = null;
                ending.join();
                producer.flush();
                return sums();
            case "sums":
                return sums();
            case "read":
                return read();
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    /** Two hundred records a second, as long as it is wanted. */
    private void produceSteadily() {
        while (steady == Thread.currentThread()) {
            send();
            try {
                Thread.sleep(5);
            } catch (InterruptedException error) {
                return;
            }
        }
    }

    private void send() {
        String key = "record-" + sent++;
        producer.send(new ProducerRecord<>(TOPIC, key, key), (metadata, error) -> {
            if (error == null) {
                acknowledged.add(key);
            } else {
                failed.incrementAndGet();
            }
        });
    }

    private String sums() {
        return "{\"sent\":" + sent + ",\"acknowledged\":" + acknowledged.size() + ",\"failed\":" + failed + "}";
    }

    /** Where brokers say that they are. */
    private String brokers() throws Exception {
        List<String> said = new ArrayList<>();
        admin.describeCluster().nodes().get().forEach(node -> said.add("\"" + node.id() + "=" + node.host() + ":" + node.port() + "\""));
        said.sort(null);
        return "{\"brokers\":[" + String.join(",", said) + "]}";
    }

    /** Replicas that have all records, of all partitions together, and how many partitions each broker leads. */
    private String inSync() throws Exception {
        int count = 0;
        Map<Integer, Integer> leads = new HashMap<>();
        for (var partition : admin.describeTopics(List.of(TOPIC)).allTopicNames().get().get(TOPIC).partitions()) {
            count += partition.isr().size();
            if (partition.leader() != null) leads.merge(partition.leader().id(), 1, Integer::sum);
        }
        List<String> leading = new ArrayList<>();
        leads.forEach((id, many) -> leading.add("\"" + id + "\":" + many));
        return "{\"inSync\":" + count + ",\"leads\":{" + String.join(",", leading) + "}}";
    }

    /** Everything that is in the topic. */
    private String read() {
        Set<String> found = new HashSet<>();
        int total = 0;
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (PartitionInfo info : consumer.partitionsFor(TOPIC)) partitions.add(new TopicPartition(TOPIC, info.partition()));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    total++;
                    found.add(record.value());
                }
            }
        }
        Set<String> missing = new HashSet<>(acknowledged);
        missing.removeAll(found);
        return "{\"total\":" + total + ",\"distinct\":" + found.size() + ",\"missing\":" + missing.size() + "}";
    }
}
