import { BlockList, isIP } from 'node:net';
import { isMap, type Json, list } from '../../contract/json';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import type { ControllerDefinition } from '../../rules/controller-definition';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { annotationsOf, classOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { kindOf, likelyKinds, type WrittenRule } from './written-service';

// Databases, brokers, DNS and dashboards that every client of the internet can reach.

/** A server, its ports, and names of ports that are its own; a port that many servers have is not listed. */
interface ServerFact {
  readonly server: string;
  readonly ports: readonly number[];
  readonly names: readonly string[];
}

/** By the documentation of each server; IANA, Service Name and Transport Protocol Port Number Registry, 2026-08. */
const SERVERS: readonly ServerFact[] = [
  { server: 'PostgreSQL', ports: [5432], names: ['postgres', 'postgresql', 'pg', 'pgbouncer'] },
  { server: 'MySQL', ports: [3306, 33060], names: ['mysql', 'mysqlx', 'mariadb'] },
  { server: 'SQL Server', ports: [1433], names: ['mssql', 'sqlserver'] },
  { server: 'Oracle Database', ports: [1521], names: ['oracle'] },
  { server: 'MongoDB', ports: [27017, 27018, 27019], names: ['mongo', 'mongodb', 'mongos'] },
  { server: 'Redis', ports: [6379, 26379], names: ['redis', 'redis-sentinel', 'valkey', 'dragonfly'] },
  { server: 'Memcached', ports: [11211], names: ['memcache', 'memcached'] },
  { server: 'Elasticsearch or OpenSearch', ports: [9200, 9300], names: ['elasticsearch', 'opensearch'] },
  { server: 'Cassandra', ports: [9042, 9160], names: ['cassandra', 'cql', 'scylla'] },
  { server: 'CockroachDB', ports: [26257], names: ['cockroach', 'cockroachdb'] },
  { server: 'CrateDB', ports: [4200], names: ['crate', 'cratedb'] },
  { server: 'ClickHouse', ports: [8123, 9004], names: ['clickhouse'] },
  { server: 'InfluxDB', ports: [8086], names: ['influx', 'influxdb'] },
  { server: 'Neo4j', ports: [7474, 7687], names: ['neo4j', 'bolt'] },
  { server: 'CouchDB', ports: [5984], names: ['couchdb'] },
  { server: 'etcd', ports: [2379, 2380], names: ['etcd'] },
  { server: 'ZooKeeper', ports: [2181], names: ['zookeeper', 'zk'] },
  { server: 'Kafka', ports: [9092, 9094], names: ['kafka', 'broker'] },
  { server: 'RabbitMQ', ports: [5671, 5672], names: ['amqp', 'amqps', 'rabbitmq'] },
  { server: 'MQTT', ports: [1883, 8883], names: ['mqtt', 'mqtts'] },
  { server: 'NATS', ports: [4222, 6222], names: ['nats'] },
  { server: 'Pulsar', ports: [6650], names: ['pulsar'] },
  { server: 'ActiveMQ', ports: [61616], names: ['activemq', 'openwire'] },
  { server: 'DNS', ports: [53], names: ['dns', 'dns-tcp', 'dns-udp'] },
  { server: 'the dashboard of RabbitMQ', ports: [15672], names: ['rabbitmq-management'] },
  { server: 'Kibana', ports: [5601], names: ['kibana', 'opensearch-dashboards'] },
  { server: 'Prometheus', ports: [9090], names: ['prometheus'] },
  { server: 'Kafka or Alertmanager', ports: [9093], names: [] },
  { server: 'Alertmanager', ports: [], names: ['alertmanager'] },
  { server: 'Grafana', ports: [], names: ['grafana'] },
  { server: 'a dashboard', ports: [], names: ['dashboard', 'admin', 'management', 'console'] },
];

function serverAt({ port, name, targetPort }: Json): string | undefined {
  const texts = [name, targetPort].filter((text) => typeof text === 'string').map((text) => text.toLowerCase());
  const byName = SERVERS.find(({ names }) => texts.some((text) => names.includes(text.replace(/^(tcp|tls)-/, ''))));
  return (byName ?? SERVERS.find(({ ports }) => ports.includes(port) || ports.includes(targetPort)))?.server;
}

/** Keys of annotations of controllers without rules here that can keep clients out, or make the balancer internal. */
const KEEPS_OUT = /internal|intranet|private|source-?ranges|allow|white-?list|acl|security-?group|firewall|access/i;

/** Values by which a balancer is internal. */
const INTERNAL = /^(internal|intranet|private)$/i;

/** Keys of known controllers with a firewall whose rules are elsewhere. */
const GROUPS = /security-groups$/;

function isKeptByAnnotation(service: Json, kinds: readonly ControllerDefinition[]): boolean {
  return Object.entries(annotationsOf(service)).some(([key, text]) => {
    const facts = kinds.flatMap(({ catalogue }) => catalogue.find(key)?.fact ?? []);
    return facts.length > 0
      ? facts.some(({ wish, restrictsClients }) => wish === LoadBalancerWish.SOURCE_RANGES || restrictsClients) ||
          GROUPS.test(key)
      : kinds.length === 0 && (KEEPS_OUT.test(key) || INTERNAL.test(text)) && text !== 'false' && text !== '';
  });
}

const PRIVATE = new BlockList();
for (const [address, length] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const) {
  PRIVATE.addSubnet(address, length);
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

const isPrivate = (address: string) => PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Kinds of pools of addresses, of any controller. */
const POOL = /Pool$|^ServiceGroup$/;

function addressesIn(text: string): string[] {
  return text.split(/[^\da-f.:]+/i).filter((word) => isIP(word) !== 0);
}

function pooledIn(index: ObjectIndex): readonly string[] {
  const isPool = ({ kind, group }: IndexedObject) => group !== '' && POOL.test(kind);
  return index.once(pooledIn, ({ all }) =>
    all.filter(isPool).flatMap(({ json }) => addressesIn(JSON.stringify(json.spec ?? ''))),
  );
}

/** Addresses that the Service has, asks for, or gets of the pools beside it. */
function addressesOf(service: Json, among: IndexedObject | undefined): string[] {
  const given = list<Json>(service.status?.loadBalancer?.ingress).filter(isMap);
  const texts: unknown[] = [
    ...given.map(({ ip }) => ip),
    service.spec?.loadBalancerIP,
    ...Object.values(annotationsOf(service)),
  ];
  return [...texts.flatMap((text) => addressesIn(String(text ?? ''))), ...(among ? pooledIn(among.index) : [])];
}

/** How clients reach the balancer; undefined if they cannot from the internet, for all that is known. */
function reach(service: Json, kinds: readonly ControllerDefinition[], among?: IndexedObject): string | undefined {
  const schemes = kinds.map((kind) => kind.schemeOf(service).scheme);
  const addresses = addressesOf(service, among);
  const isInternal = schemes.length > 0 && schemes.every((scheme) => scheme === LoadBalancerScheme.INTERNAL);
  if (isInternal || (addresses.length > 0 && addresses.every(isPrivate))) {
    return undefined;
  }
  const isPublic = schemes.length > 0 && schemes.every((scheme) => scheme === LoadBalancerScheme.INTERNET_FACING);
  return isPublic ? 'every client of the internet' : 'every client that reaches the address';
}

/** What is a server for few clients is not open to all. */
export const EXPOSED_PORT: WrittenRule = {
  id: 'exposed-port',
  who: 'kubernetes',
  severity: 'warning',
  says: 'database, broker, DNS server or dashboard open to every client',
  source: { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' },
  on: ['spec.ports'],
  judge(service, context) {
    const kinds = likelyKinds(service, context);
    const isUnknownClass = classOf(service) !== undefined && kindOf(context) === undefined && kinds.length === 0;
    const { spec } = service;
    if (!wantsLoadBalancer(service) || isUnknownClass || list(spec?.loadBalancerSourceRanges).length > 0) {
      return undefined;
    }
    const found = portsOf(service)
      .map((port) => ({ port: port.port, server: context.among?.madeOf === KAFKA_KIND ? 'Kafka' : serverAt(port) }))
      .filter(({ server }) => server !== undefined);
    const who = found.length > 0 ? reach(service, kinds, context.among) : undefined;
    return who === undefined || isKeptByAnnotation(service, kinds)
      ? undefined
      : {
          what: `${who} can connect to ${[...new Set(found.map(({ port, server }) => `port ${port} (${server})`))].join(', ')}`,
          remedy:
            'write loadBalancerSourceRanges, make the balancer internal, or list exposed-port under accepted in load-balancers.yaml if that is meant',
          value: found.map(({ port }) => port).join(', '),
          at: '/spec/ports',
        };
  },
};
