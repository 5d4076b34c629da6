// Kafka behind one balancer, however many brokers: a Gateway tells them apart by the name that TLS clients ask for.
// Envoy Gateway serves the class, the TLSRoutes of the Gateway API 1.5 or newer are installed, and Strimzi is 1.1 or newer.
import { App, Chart } from 'cdk8s';
import {
  Gateway,
  GatewayAllowedRoutes,
  GatewayProtocol,
  GatewayTlsMode,
  KafkaCluster,
  KafkaNodePool,
  KafkaNodeRole,
  KafkaTlsRouteListener,
  StrimziVersion,
} from 'cdk8s-load-balancers';

const app = new App();

const edge = new Chart(app, 'kafka-routed-edge', { namespace: 'edge' });
const gateway = new Gateway(edge, 'Gateway', {
  name: 'edge',
  gatewayClassName: 'envoy',
  listeners: [
    {
      name: 'kafka',
      port: 443,
      protocol: GatewayProtocol.TLS,
      tlsMode: GatewayTlsMode.PASSTHROUGH,
      hostname: '*.kafka.example.com',
      allowedRoutes: GatewayAllowedRoutes.namespaces(['kafka']),
    },
  ],
});

const chart = new Chart(app, 'kafka-routed', { namespace: 'kafka' });
const kafka = new KafkaCluster(chart, 'Routed', { name: 'routed', strimzi: StrimziVersion.V1_2 });
new KafkaNodePool(chart, 'Brokers', {
  kafka,
  name: 'brokers',
  replicas: 3,
  roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
  storage: { type: 'persistent-claim', size: '100Gi' },
});

// The operator makes a TLSRoute for bootstrap and for each broker; clients connect to bootstrap.kafka.example.com:443.
new KafkaTlsRouteListener(chart, 'External', {
  kafka,
  gateway,
  name: 'external',
  port: 9094,
  authentication: { type: 'scram-sha-512' },
  bootstrapHost: 'bootstrap.kafka.example.com',
  hostTemplate: 'broker-{nodeId}.kafka.example.com',
});

app.synth();
