// The fields of a listener, as the schema of the Kafka resource has them, and the types of listener on which the operator
// takes them. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0: packaging/install/cluster-operator/040-Crd-kafka.yaml,
// and 1.2.0: cluster-operator/…/model/ListenersValidator.java

import { BOOLEAN, INTEGER, REQUIRED_TEXT, TEXT } from '../../contract/schema/common.facts';
import { type SchemaField, Shape } from '../../contract/schema/field';

/** One field of a listener. */
export interface ListenerField extends SchemaField {
  /** The types of listener on which the operator takes it; all of them where none are named. */
  readonly types?: readonly string[];
  /** An empty list or map is as good as none where the type does not fit. */
  readonly emptyIsFine?: true;
}

/** The port that a listener may have at least; below are those between brokers and controllers. */
export const LOWEST_PORT = 9092;

/** Ports that the operator keeps for itself, with what they serve. */
export const RESERVED_PORTS: Readonly<Record<number, string>> = { 9404: 'metrics', 9999: 'JMX' };

/** The pattern of names of listeners: the name of a container's port is `tcp-` and the name. */
export const LISTENER_NAME = /^[a-z0-9]{1,11}$/;

/** Types whose listeners can be reached from outside the cluster by themselves. */
export const OUTSIDE_TYPES: readonly string[] = ['loadbalancer', 'nodeport', 'ingress', 'route', 'tlsroute'];

/** Those whose clients speak to the brokers without TLS where `tls` is false; the others have a client that demands TLS. */
export const PLAIN_TEXT_TYPES: readonly string[] = ['loadbalancer', 'nodeport'];

const OWN_SERVICE = ['route', 'tlsroute', 'loadbalancer', 'nodeport', 'ingress', 'cluster-ip'];
const LOAD_BALANCER = ['loadbalancer'];
const WITH_NODE_PORT = ['nodeport', 'loadbalancer'];
const WITH_HOST = ['route', 'ingress', 'tlsroute'];

const METADATA: ListenerField = { shape: Shape.TEXT_MAP, types: OWN_SERVICE, emptyIsFine: true };

/** The address of one Service and its metadata: the same fields for bootstrap and for a broker. */
function addressFields(prefix: string): Record<string, ListenerField> {
  return {
    [`${prefix}.host`]: { ...TEXT, types: WITH_HOST },
    [`${prefix}.nodePort`]: { ...INTEGER, types: WITH_NODE_PORT },
    [`${prefix}.loadBalancerIP`]: { ...TEXT, types: LOAD_BALANCER },
    [`${prefix}.annotations`]: METADATA,
    [`${prefix}.labels`]: METADATA,
    [`${prefix}.externalIPs`]: { shape: Shape.TEXTS, types: ['nodeport'] },
  };
}

/** By the path below the listener; what is in the maps of a list has the path of that list. */
export const LISTENER_FIELDS: Readonly<Record<string, ListenerField>> = {
  name: REQUIRED_TEXT,
  port: { shape: Shape.INTEGER, required: true },
  type: {
    shape: Shape.TEXT,
    required: true,
    values: ['internal', 'route', 'tlsroute', 'loadbalancer', 'nodeport', 'ingress', 'cluster-ip'],
    valuesSince: { tlsroute: '1.1.0' },
  },
  tls: { shape: Shape.BOOLEAN, required: true },
  authentication: { shape: Shape.MAP, open: true },
  'authentication.type': {
    ...REQUIRED_TEXT,
    values: ['tls', 'scram-sha-512', 'custom', 'oauth'],
    oldApiValues: ['oauth'],
  },
  networkPolicyPeers: { shape: Shape.FREE_LIST },
  configuration: { shape: Shape.MAP },
  'configuration.brokerCertChainAndKey': { shape: Shape.MAP },
  'configuration.brokerCertChainAndKey.secretName': REQUIRED_TEXT,
  'configuration.brokerCertChainAndKey.certificate': REQUIRED_TEXT,
  'configuration.brokerCertChainAndKey.key': REQUIRED_TEXT,
  'configuration.class': { ...TEXT, types: ['loadbalancer', 'ingress'] },
  'configuration.externalTrafficPolicy': { ...TEXT, values: ['Local', 'Cluster'], types: WITH_NODE_PORT },
  'configuration.loadBalancerSourceRanges': { shape: Shape.TEXTS, types: LOAD_BALANCER, emptyIsFine: true },
  'configuration.finalizers': { shape: Shape.TEXTS, types: LOAD_BALANCER, emptyIsFine: true },
  'configuration.allocateLoadBalancerNodePorts': { ...BOOLEAN, types: LOAD_BALANCER },
  'configuration.createBootstrapService': BOOLEAN,
  'configuration.publishNotReadyAddresses': { ...BOOLEAN, types: OWN_SERVICE },
  'configuration.ipFamilyPolicy': {
    ...TEXT,
    values: ['SingleStack', 'PreferDualStack', 'RequireDualStack'],
    types: OWN_SERVICE,
  },
  'configuration.ipFamilies': { shape: Shape.TEXTS, values: ['IPv4', 'IPv6'], types: OWN_SERVICE },
  'configuration.useServiceDnsDomain': { ...BOOLEAN, types: ['internal', 'cluster-ip'] },
  'configuration.maxConnections': INTEGER,
  'configuration.maxConnectionCreationRate': INTEGER,
  'configuration.preferredNodePortAddressType': {
    ...TEXT,
    values: ['ExternalIP', 'ExternalDNS', 'InternalIP', 'InternalDNS', 'Hostname'],
    types: ['nodeport'],
  },
  'configuration.hostTemplate': { ...TEXT, types: WITH_HOST },
  'configuration.advertisedHostTemplate': TEXT,
  'configuration.advertisedPortTemplate': { ...TEXT, since: '1.0.0' },
  'configuration.perBrokerAnnotationsTemplate': { ...METADATA, since: '1.1.0' },
  'configuration.perBrokerLabelsTemplate': { ...METADATA, since: '1.1.0' },
  'configuration.parentRefs': { shape: Shape.MAPS, since: '1.1.0', types: ['tlsroute'] },
  'configuration.parentRefs.group': TEXT,
  'configuration.parentRefs.kind': TEXT,
  'configuration.parentRefs.name': TEXT,
  'configuration.parentRefs.namespace': TEXT,
  'configuration.parentRefs.sectionName': TEXT,
  'configuration.parentRefs.port': INTEGER,
  'configuration.bootstrap': { shape: Shape.MAP },
  'configuration.bootstrap.alternativeNames': { shape: Shape.TEXTS },
  ...addressFields('configuration.bootstrap'),
  'configuration.brokers': { shape: Shape.MAPS },
  'configuration.brokers.broker': { shape: Shape.INTEGER, required: true },
  'configuration.brokers.advertisedHost': TEXT,
  'configuration.brokers.advertisedPort': INTEGER,
  ...addressFields('configuration.brokers'),
};
