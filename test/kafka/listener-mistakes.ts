import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';

/** What differs from a listener that is right, and all that is said of it, after its name. */
export const LISTENER_MISTAKES: [Json, string[], StrimziVersion?][] = [
  [{ tls: undefined }, ['strimzi: tls is missing; set it: the API server requires it (listener-field-missing)']],
  [{ port: '9094' }, ["strimzi: port is '9094'; write a whole number (listener-field-shape)"]],
  [
    { configuration: { bootstrap: { annotations: { 'example.com/cross-zone': true } } } },
    [
      "strimzi: configuration.bootstrap.annotations['example.com/cross-zone'] is true; write a string, in quotes (listener-field-shape)",
    ],
  ],
  [
    { configuration: { advertisedPortTemplate: 9094 } },
    ['strimzi: configuration.advertisedPortTemplate is 9094; write a string (listener-field-shape)'],
  ],
  [
    { configuration: { brokers: [{ advertisedHost: 'a.example.com' }] } },
    [
      'strimzi: configuration.brokers[0].broker is missing; set it: the API server requires it (listener-field-missing)',
    ],
  ],
  [
    { configuration: { externalTrafficPolicy: 'local' } },
    [
      "strimzi: configuration.externalTrafficPolicy is 'local', which is not a valid value; use one of Local, Cluster (listener-word)",
    ],
  ],
  [
    { type: 'LoadBalancer' },
    [
      "strimzi: type is 'LoadBalancer', which is not a valid value; use one of internal, route, tlsroute, loadbalancer, nodeport, ingress, cluster-ip (listener-word)",
    ],
  ],
  [
    {
      type: 'tlsroute',
      configuration: { bootstrap: { host: 'b.example.com' }, hostTemplate: 'b-{nodeId}.example.com' },
    },
    [
      "strimzi: type 'tlsroute' does not exist in Strimzi 1.0.1; use Strimzi 1.1.0 or newer, or remove it (listener-field-since)",
      'strimzi: parentRefs is missing on type tlsroute; name the Gateway that the routes attach to (listener-parents)',
    ],
    StrimziVersion.V1_0,
  ],
  [
    { configuration: { annotations: { 'example.com/a': 'b' } } },
    [
      'strimzi: the API server drops the field configuration.annotations, which Strimzi does not have in the versions that were read, from 0.45.2 on; correct its name or its place, or remove it (listener-field-unknown)',
    ],
  ],
  [
    { configuration: { perBrokerAnnotationsTemplate: { 'example.com/a': 'b' } } },
    [
      'strimzi: configuration.perBrokerAnnotationsTemplate does not exist in Strimzi 1.0.1; use Strimzi 1.1.0 or newer, or remove it (listener-field-since)',
    ],
    StrimziVersion.V1_0,
  ],
  [
    { configuration: { advertisedPortTemplate: '9094' } },
    [
      'strimzi: configuration.advertisedPortTemplate does not exist in Strimzi 0.51.0; use Strimzi 1.0.0 or newer, or remove it (listener-field-since)',
    ],
    StrimziVersion.V0_51,
  ],
  [
    { authentication: { type: 'oauth' } },
    [
      'strimzi: authentication.type does not exist in API version v1; use authentication of type custom; a manifest of API version v1beta2 may keep it up to Strimzi 0.51 (listener-field-removed)',
    ],
    StrimziVersion.V0_51,
  ],
  [
    { name: 'external-one' },
    [
      "strimzi: the name 'external-one' has 12 characters, and 1 to 11 lower-case letters and digits are allowed; choose a shorter or simpler name: Services and their balancers are named by it (listener-name)",
    ],
  ],
  [
    { name: 'externalpublic' },
    [
      "strimzi: the name 'externalpublic' has 14 characters, and 1 to 11 lower-case letters and digits are allowed; choose a shorter or simpler name: Services and their balancers are named by it (listener-name)",
    ],
  ],
  [{ port: 9404 }, ['strimzi: port 9404 is taken for metrics; use a free port from 9092 on (listener-port)']],
  [{ port: 9091 }, ['strimzi: port 9091 is below 9092; use a free port from 9092 on (listener-port)']],
  [
    { port: 70000 },
    [
      "kubernetes: port 70000 is not a valid port, which shows only when the operator's NetworkPolicy is refused; use a port from 9092 to 65535 (listener-port-range)",
    ],
  ],
  [
    { tls: false, authentication: { type: 'scram-sha-512' } },
    [
      'strimzi: clients of a listener of type loadbalancer authenticate by scram-sha-512, and tls is false, so the exchange and every message can be read on the way; set tls: true, or acknowledge it where something else encrypts (listener-plain-text)',
    ],
  ],
  [
    { authentication: undefined },
    [
      'strimzi: a listener of type loadbalancer has no authentication, and spec.kafka.authorization is unset, so every client that reaches it can read and write every topic; set authentication, or accept this if only trusted clients can reach the listener (listener-open-to-all)',
    ],
  ],
  [
    { type: 'nodeport', authentication: { type: null } },
    [
      'strimzi: authentication.type is missing; set it: the API server requires it (listener-field-missing)',
      'strimzi: a listener of type nodeport has no authentication, and spec.kafka.authorization is unset, so every client that reaches it can read and write every topic; set authentication, or accept this if only trusted clients can reach the listener (listener-open-to-all)',
    ],
  ],
  [
    { type: 'internal', configuration: { class: 'example.com/lb' } },
    [
      "strimzi: configuration.class is set on a listener of type 'internal'; remove it: it belongs to loadbalancer, ingress (listener-field-type)",
    ],
  ],
  [
    { type: 'nodeport', configuration: { finalizers: ['example.com/a'] } },
    [
      "strimzi: configuration.finalizers is set on a listener of type 'nodeport'; remove it: it belongs to loadbalancer (listener-field-type)",
    ],
  ],
  [
    { type: 'cluster-ip', configuration: { allocateLoadBalancerNodePorts: false } },
    [
      "strimzi: configuration.allocateLoadBalancerNodePorts is set on a listener of type 'cluster-ip'; remove it: it belongs to loadbalancer (listener-field-type)",
    ],
  ],
  [
    { configuration: { useServiceDnsDomain: false } },
    [
      "strimzi: configuration.useServiceDnsDomain is set on a listener of type 'loadbalancer'; remove it: it belongs to internal, cluster-ip (listener-field-type)",
    ],
  ],
  [
    { configuration: { hostTemplate: 'b-{nodeId}.example.com' } },
    [
      "strimzi: configuration.hostTemplate is set on a listener of type 'loadbalancer'; remove it: it belongs to route, ingress, tlsroute (listener-field-type)",
    ],
  ],
  [
    { configuration: { preferredNodePortAddressType: 'Hostname' } },
    [
      "strimzi: configuration.preferredNodePortAddressType is set on a listener of type 'loadbalancer'; remove it: it belongs to nodeport (listener-field-type)",
    ],
  ],
  [
    { type: 'internal', configuration: { bootstrap: { labels: { a: 'b' } } } },
    [
      "strimzi: configuration.bootstrap.labels is set on a listener of type 'internal'; remove it: it belongs to route, tlsroute, loadbalancer, nodeport, ingress, cluster-ip (listener-field-type)",
    ],
  ],
  [
    { configuration: { brokers: [{ broker: 1, host: 'b.example.com' }] } },
    [
      "strimzi: configuration.brokers for broker 1.host is set on a listener of type 'loadbalancer'; remove it: it belongs to route, ingress, tlsroute (listener-field-type)",
    ],
  ],
  [
    { configuration: { parentRefs: [{ name: 'gateway' }] } },
    [
      "strimzi: configuration.parentRefs is set on a listener of type 'loadbalancer'; remove it: it belongs to tlsroute (listener-field-type)",
    ],
  ],
  [
    {
      configuration: {
        createBootstrapService: false,
        bootstrap: { annotations: { 'example.com/a': 'b' }, alternativeNames: ['a.example.com'] },
      },
    },
    [
      'strimzi: bootstrap.annotations is set, and createBootstrapService is false, so it has no effect; remove one of the two (listener-bootstrap-unused)',
    ],
  ],
  [
    { type: 'tlsroute', configuration: { parentRefs: [{ name: 'gateway' }] } },
    [
      'strimzi: bootstrap.host is missing on type tlsroute; write the host of the first contact (listener-hosts)',
      'strimzi: no broker has a host, on type tlsroute; write hostTemplate, or a host for each broker (listener-hosts)',
    ],
  ],
  [
    {
      type: 'tlsroute',
      configuration: {
        bootstrap: { host: 'b.example.com' },
        parentRefs: [{ name: 'gateway' }],
        brokers: [{ broker: 0, host: 'a.example.com' }],
      },
    },
    [
      'strimzi: there is no host for broker 1, 2, on type tlsroute; write hostTemplate, or a host for each broker (listener-hosts)',
    ],
  ],
  [
    {
      type: 'tlsroute',
      configuration: { bootstrap: { host: 'b.example.com' }, hostTemplate: 'b-{nodeId}.example.com' },
    },
    ['strimzi: parentRefs is missing on type tlsroute; name the Gateway that the routes attach to (listener-parents)'],
  ],
  [
    {
      type: 'tlsroute',
      configuration: {
        bootstrap: { host: 'b.example.com' },
        hostTemplate: 'b-{nodeId}.example.com',
        parentRefs: [{ namespace: 'edge' }],
      },
    },
    ['strimzi: an entry of parentRefs has no name; name the Gateway that the routes attach to (listener-parents)'],
  ],
  [
    {
      configuration: {
        brokers: [
          { broker: 1, advertisedHost: 'a.example.com' },
          { broker: 1, advertisedPort: 9094 },
        ],
      },
    },
    [
      'strimzi: brokers has several entries for broker 1, of which the first one with a field wins, field by field; make one entry of them (listener-broker-twice)',
      'strimzi: broker 1 advertises a host, and brokers 0, 2 do not: they advertise the addresses of their balancers, which your DNS and certificates do not cover; write advertisedHost for every broker, or advertisedHostTemplate (listener-advertised-some)',
    ],
  ],
  [
    { configuration: { brokers: [{ broker: 3, advertisedHost: 'a.example.com' }] } },
    [
      'strimzi: brokers has an entry for broker 3, and the brokers are 0, 1, 2, so it has no effect but a line in the log of the operator; write the node id of a broker (not its ordinal in the pool), or remove the entry (listener-broker-unknown)',
    ],
  ],
  [
    {
      configuration: {
        brokers: [
          { broker: 0, annotations: { 'example.com/a': 'b' } },
          { broker: 1, annotations: { 'example.com/a': 'b' } },
        ],
      },
    },
    [
      'strimzi: brokers has annotations for other brokers and none for broker 2, whose balancer gets the defaults of its controller: often a public address; write an entry for every broker, or perBrokerAnnotationsTemplate from Strimzi 1.1 on (listener-broker-left-out)',
    ],
  ],
  [
    { configuration: { brokers: [{ broker: 0, advertisedHost: 'tcp://a.example.com:9094' }] } },
    [
      "strimzi: broker 0 advertises 'tcp://a.example.com:9094', which is not a valid host name; write the bare name, without scheme, port or spaces; the port goes into advertisedPort (listener-advertised-host)",
      'strimzi: broker 0 advertises a host, and brokers 1, 2 do not: they advertise the addresses of their balancers, which your DNS and certificates do not cover; write advertisedHost for every broker, or advertisedHostTemplate (listener-advertised-some)',
    ],
  ],
  [
    { configuration: { brokers: [{ broker: 0, advertisedPort: 0 }] } },
    [
      'strimzi: broker 0 advertises port 0, with which it does not start; use a port from 1 to 65535 (listener-advertised-port)',
    ],
  ],
  [
    { configuration: { brokers: [{ broker: 0, advertisedPort: 443 }] } },
    [
      'strimzi: broker 0 advertises port 443, and its balancer listens on port 9094: an advertised port changes neither Service nor balancer; leave it out, unless something in front of the balancer listens there (listener-advertised-port-differs)',
    ],
  ],
  [
    { configuration: { advertisedHostTemplate: 'kafka.example.com' } },
    [
      'strimzi: brokers 0, 1, 2 all advertise kafka.example.com:9094, so clients cannot tell them apart; put {nodeId} into the host or the port (listener-advertised-twice)',
    ],
  ],
  [
    { type: 'route', configuration: { hostTemplate: 'kafka.example.com' } },
    [
      'strimzi: the routes of brokers 0, 1, 2 all have host kafka.example.com; put {nodeId} into hostTemplate, or write a host of its own for each broker (listener-host-twice)',
    ],
  ],
  [
    { configuration: { bootstrap: { alternativeNames: ['kafka.example.com:9094'] } } },
    [
      "strimzi: bootstrap.alternativeNames has 'kafka.example.com:9094', which is not a valid host name, so no certificate fits it; write the bare name, without scheme, port or spaces (listener-alternative-name)",
    ],
  ],
  [
    { configuration: { class: 'io.cilium/node', externalTrafficPolicy: 'Local' } },
    [
      'strimzi: Node IPAM of Cilium gives a Service of traffic policy Local no address before it has a ready pod, and the operator makes no pod of the cluster before all its Services have addresses, so a new cluster waits for ever; use externalTrafficPolicy Cluster, or make the cluster without this listener and add it once the brokers run (address-waits-for-endpoints)',
    ],
  ],
  [
    { networkPolicyPeers: [{ podSelector: {} }] },
    [
      'strimzi: networkPolicyPeers names pods and namespaces only, so what comes through the balancer is dropped where network policies are enforced; add an ipBlock of the clients, or of the balancer and the nodes where they hide the address of the client (listener-peers)',
    ],
  ],
  [
    { configuration: { advertisedHostTemplate: 'b-{nodeId}.{zone}.example.com' } },
    [
      ...[0, 1, 2].map(
        (id) =>
          `strimzi: broker ${id} advertises 'b-${id}.{zone}.example.com', which is not a valid host name; write the bare name, without scheme, port or spaces; the port goes into advertisedPort (listener-advertised-host)`,
      ),
      "strimzi: advertisedHostTemplate is 'b-{nodeId}.{zone}.example.com', and {zone} is not a placeholder of Strimzi, so it is written unchanged; use {nodeId} or {nodePodName} (listener-placeholder)",
    ],
  ],
  [
    { configuration: { perBrokerAnnotationsTemplate: { 'example.com/a': 'b-{nodeid}' } } },
    [
      "strimzi: perBrokerAnnotationsTemplate['example.com/a'] is 'b-{nodeid}', and {nodeid} is not a placeholder of Strimzi, so it is written unchanged; use {nodeId} or {nodePodName} (listener-placeholder)",
    ],
  ],
  [
    { configuration: { brokers: [{ broker: 1, advertisedHost: 'b-{nodeId}.example.com' }] } },
    [
      "strimzi: broker 1 advertises 'b-{nodeId}.example.com', which is not a valid host name; write the bare name, without scheme, port or spaces; the port goes into advertisedPort (listener-advertised-host)",
      'strimzi: broker 1 advertises a host, and brokers 0, 2 do not: they advertise the addresses of their balancers, which your DNS and certificates do not cover; write advertisedHost for every broker, or advertisedHostTemplate (listener-advertised-some)',
      "strimzi: advertisedHost of the entry for broker 1 is 'b-{nodeId}.example.com', where nothing is replaced; write it out, or use a template for all brokers (listener-placeholder-literal)",
    ],
  ],
  [
    { configuration: { bootstrap: { annotations: { 'example.com/a': '{nodeId}' } } } },
    [
      "strimzi: bootstrap.annotations['example.com/a'] is '{nodeId}', where nothing is replaced; write it out, or use a template for all brokers (listener-placeholder-literal)",
    ],
  ],
  [
    { configuration: { perBrokerAnnotationsTemplate: { 'example.com/{nodeId}': 'b' } } },
    [
      "strimzi: perBrokerAnnotationsTemplate has the key 'example.com/{nodeId}', and placeholders are replaced in values only; write an entry for each broker with a key of its own (listener-placeholder-key)",
    ],
  ],
  [
    { configuration: { advertisedPortTemplate: '9094 / {nodeId}' } },
    [
      "strimzi: advertisedPortTemplate '9094 / {nodeId}' is not a valid expression, which the operator reports only when all balancers have addresses; write numbers and {nodeId} with +, -, * and parentheses (listener-port-template)",
    ],
  ],
  [
    { type: 'cluster-ip', configuration: { advertisedPortTemplate: '65534 + {nodeId}' } },
    [
      "strimzi: advertisedPortTemplate '65534 + {nodeId}' gives broker 2 port 65536; write an expression that gives a port from 1 to 65535 for each broker (listener-port-template)",
    ],
  ],
  [
    {
      configuration: {
        perBrokerAnnotationsTemplate: { 'example.com/a': 'b', 'example.com/c': 'd' },
        brokers: [{ broker: 1, annotations: { 'example.com/a': 'e' } }],
      },
    },
    [
      'strimzi: the annotations of broker 1 replace perBrokerAnnotationsTemplate as a whole, so this broker has no example.com/c; repeat the entries of the template, or remove the entry (listener-template-replaced)',
    ],
  ],
  [
    { configuration: { bootstrap: { annotations: { 'a b': 'c' } } } },
    [
      "kubernetes: annotations of bootstrap: 'a b' is not a qualified name; use a name that Kubernetes accepts (listener-metadata-key)",
    ],
  ],
  [
    { configuration: { perBrokerLabelsTemplate: { a: 'b c' } } },
    [
      "kubernetes: labels of all brokers: 'b c' is not a valid label value (letters, digits, dashes, dots, underscores; first and last a letter or digit); use a name that Kubernetes accepts (listener-metadata-key)",
    ],
  ],
  [
    { configuration: { finalizers: ['cleanup'] } },
    [
      "kubernetes: finalizers: 'cleanup' has no domain before a slash; write domain/name, each once (listener-finalizer-syntax)",
    ],
  ],
  [
    { configuration: { finalizers: ['example.com/a', 'example.com/a'] } },
    [
      "kubernetes: finalizers: 'example.com/a' is listed twice; write domain/name, each once (listener-finalizer-syntax)",
    ],
  ],
  [
    { configuration: { class: 'example.com/a/b' } },
    ["kubernetes: class: 'example.com/a/b' has more than one slash; write domain/name (listener-class-syntax)"],
  ],
  [
    {
      type: 'ingress',
      configuration: { bootstrap: { host: 'b.example.com' }, hostTemplate: 'b-{nodeId}.example.com', class: 'a b' },
    },
    ["kubernetes: class: 'a b' is not a valid DNS name; write the name of an IngressClass (listener-class-syntax)"],
    StrimziVersion.V0_50,
  ],
  [
    { configuration: { loadBalancerSourceRanges: ['10.0.0.0'] } },
    [
      "kubernetes: loadBalancerSourceRanges: '10.0.0.0' is not a valid address range like 10.0.0.0/8; write an address and a prefix length, such as 10.0.0.0/8 (listener-source-range)",
    ],
  ],
  [
    { configuration: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] } },
    [
      'kubernetes: two IP families are set with policy SingleStack; keep one, or use ipFamilyPolicy RequireDualStack (listener-ip-families)',
    ],
  ],
  [
    { configuration: { ipFamilies: ['IPv4', 'IPv4'] } },
    ['kubernetes: ipFamilies has an IP family twice; name each once (listener-ip-families)'],
  ],
  [
    { type: 'nodeport', configuration: { bootstrap: { nodePort: 32000 }, brokers: [{ broker: 0, nodePort: 32000 }] } },
    [
      'kubernetes: nodePort of broker 0: 32000 is listed twice; leave it out, or use a free one of the cluster (listener-node-port)',
    ],
  ],
  [
    { type: 'nodeport', configuration: { bootstrap: { nodePort: 70000 } } },
    [
      'kubernetes: nodePort of bootstrap: 70000 is not a valid port (1 to 65535); leave it out, or use a free one of the cluster (listener-node-port)',
    ],
  ],
];
