import type { DescribedRule } from '../../contract/rule';
import { LISTENER_OF_ANOTHER_TYPE, PROPS_CONTRADICT_PLAN } from './listener-provenance';
import { LISTENER_GONE } from './planned-document-listener';

/** What is told of listeners together with their plans, their balancers and their Gateways. */
export const LISTENER_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'listener-cannot-carry',
    severity: 'error',
    says: 'a listener can carry what the plan of its balancers says, for one Service or for all',
  },
  LISTENER_OF_ANOTHER_TYPE,
  {
    id: 'listener-template-contradicts',
    severity: 'error',
    says: 'no template of all listeners says otherwise than the plan of one',
  },
  LISTENER_GONE,
  PROPS_CONTRADICT_PLAN,
  {
    id: 'listener-dns-name',
    severity: 'error',
    says: 'names that are to be kept in DNS have a Service, and brokers that advertise them',
  },
  {
    id: 'listener-nodes-elsewhere',
    severity: 'error',
    says: 'brokers are pinned to the node pool on which their balancers look for them',
  },
  {
    id: 'listener-nodes-unpinned',
    severity: 'warning',
    says: 'brokers are pinned to the node pool of backends with policy Local',
  },
  {
    id: 'listener-address-left-out',
    severity: 'warning',
    says: 'addresses are fixed for all brokers of a listener, or for none',
  },
  { id: 'listener-proxy-protocol', severity: 'error', says: 'no balancer sends the PROXY protocol to brokers' },
  { id: 'listener-tls-terminated', severity: 'error', says: 'TLS ends where the listener says' },
  { id: 'listener-http', severity: 'error', says: 'no balancer speaks HTTP with brokers' },
  {
    id: 'finalizer-undeclared',
    severity: 'error',
    says: 'a listener declares the finalizer of its owner where Strimzi strips what is not declared',
  },
  {
    id: 'finalizer-stripped',
    severity: 'error',
    says: 'an owner whose finalizer nobody may declare serves a Strimzi that keeps it; a warning for listeners that are adopted',
  },
  {
    id: 'gateway-without-sni',
    severity: 'error',
    says: 'the Gateway of a listener is of an implementation that routes TLS by its server name',
  },
  { id: 'route-section', severity: 'error', says: 'the section of a route is a listener of its Gateway' },
  {
    id: 'route-not-taken',
    severity: 'error',
    says: 'a Gateway has a listener that takes the TLSRoutes of a Kafka listener',
  },
  {
    id: 'route-tls-mode',
    severity: 'error',
    says: 'a Gateway passes TLS through to brokers that speak it, and ends it before those that do not',
  },
  { id: 'route-host-not-served', severity: 'error', says: 'a Gateway serves the hosts of bootstrap and brokers' },
  { id: 'route-advertised-port', severity: 'warning', says: 'brokers advertise the port on which the Gateway listens' },
  {
    id: 'route-strimzi-version',
    severity: 'error',
    says: 'Strimzi is of a version that has listeners of type tlsroute',
  },
];
