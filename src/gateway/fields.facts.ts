// The fields of the kinds of this room, as their schemas have them. kubernetes-sigs/gateway-api v1.6.1: apis/v1/gatewayclass_types.go,
// gateway_types.go, listenerset_types.go, tcproute_types.go, tlsroute_types.go, referencegrant_types.go, shared_types.go,
// object_reference_types.go; v1.6.3 and v1.7.0 say the same. Fields of the experimental channel are among them
import { REQUIRED_TEXT, SELECTOR, TEXT, TEXT_MAP } from '../contract/schema/common.facts';
import { listOf, mapOf, oneOf, type SchemaField, type SchemaFields, Shape } from '../contract/schema/field';
import {
  AT_MOST,
  CONTROLLER_NAME,
  CORE_PROTOCOLS,
  CUSTOM_PROTOCOL,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  IP_TYPE,
} from './gateway.facts';

const DNS_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

// shared_types.go
const NAME: SchemaField = { ...REQUIRED_TEXT, atLeast: 1, atMost: 253, takes: 'the name of an object' };
const NAMESPACE: SchemaField = {
  ...TEXT,
  atLeast: 1,
  atMost: 63,
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  takes: 'the name of a namespace',
};
const GROUP: SchemaField = {
  ...TEXT,
  atMost: 253,
  pattern: new RegExp(`^$|${DNS_NAME.source}`),
  takes: 'the name of an API group',
};
const KIND: SchemaField = {
  ...TEXT,
  atLeast: 1,
  atMost: 63,
  pattern: /^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/,
  takes: 'the name of a kind',
};
const SECTION_NAME: SchemaField = { ...TEXT, atLeast: 1, atMost: 253, pattern: DNS_NAME, takes: 'a DNS name' };
const HOSTNAME: SchemaField = {
  ...TEXT,
  atLeast: 1,
  atMost: 253,
  pattern: /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  takes: 'a DNS name',
};
const PORT: SchemaField = { shape: Shape.INTEGER, format: 'int32', atLeast: 1, atMost: 65535 };
const REQUIRED = { required: true } as const;

/** A map that is there although nobody writes it: with the defaults of its fields. */
function withDefault(fields: SchemaFields): SchemaField {
  return mapOf(fields, { default: {} });
}

const REQUIRED_GROUP: SchemaField = { ...GROUP, ...REQUIRED };
const REQUIRED_KIND: SchemaField = { ...KIND, ...REQUIRED };

// object_reference_types.go and shared_types.go, with what the API server fills in
const referenceTo = (group: string, kind: string): SchemaFields => ({
  group: { ...GROUP, default: group },
  kind: { ...KIND, default: kind },
  name: NAME,
  namespace: NAMESPACE,
});
const SECRET = referenceTo('', 'Secret');
const PARENT = referenceTo(GATEWAY_GROUP, GATEWAY_KIND);
const OBJECT: SchemaFields = { group: REQUIRED_GROUP, kind: REQUIRED_KIND, name: NAME, namespace: NAMESPACE };

export const GATEWAY_CLASS_FIELDS: SchemaFields = {
  controllerName: { ...REQUIRED_TEXT, atLeast: 1, atMost: 253, pattern: CONTROLLER_NAME },
  description: { ...TEXT, atMost: AT_MOST.description },
  parametersRef: mapOf(OBJECT),
};

/** The definition accepts any name of a protocol without a domain: `ProtocolType` leaves those to the API itself. */
const PROTOCOL: SchemaField = {
  ...REQUIRED_TEXT,
  atLeast: 1,
  atMost: 255,
  pattern: new RegExp(`^(${CORE_PROTOCOLS.join('|')})$|${CUSTOM_PROTOCOL.source}`),
};

const LISTENERS = listOf(
  {
    name: { ...SECTION_NAME, ...REQUIRED },
    hostname: HOSTNAME,
    port: { ...PORT, ...REQUIRED },
    protocol: PROTOCOL,
    tls: mapOf({
      mode: { ...oneOf('Terminate', 'Passthrough'), default: 'Terminate' },
      certificateRefs: listOf(SECRET, { atMost: AT_MOST.certificates }),
      options: { ...TEXT_MAP, atMost: 16, entriesAtMost: 4096 },
    }),
    allowedRoutes: withDefault({
      namespaces: withDefault({ from: { ...oneOf('All', 'Selector', 'Same'), default: 'Same' }, selector: SELECTOR }),
      kinds: listOf(
        { group: { ...GROUP, default: GATEWAY_GROUP }, kind: REQUIRED_KIND },
        { atMost: AT_MOST.routeKinds },
      ),
    }),
  },
  { ...REQUIRED, atLeast: 1, atMost: AT_MOST.listeners },
);

const FRONTEND = {
  validation: mapOf({
    caCertificateRefs: listOf(OBJECT, { ...REQUIRED, atLeast: 1, atMost: 16 }),
    mode: { ...oneOf('AllowValidOnly', 'AllowInsecureFallback'), default: 'AllowValidOnly' },
  }),
};

export const GATEWAY_FIELDS: SchemaFields = {
  gatewayClassName: NAME,
  listeners: LISTENERS,
  addresses: listOf(
    {
      type: {
        ...TEXT,
        default: IP_TYPE,
        atLeast: 1,
        atMost: 253,
        pattern:
          /^Hostname|IPAddress|NamedAddress|[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/,
        takes: 'IPAddress, Hostname, NamedAddress, or a domain with a path',
      },
      value: { ...TEXT, atMost: 253 },
    },
    { atMost: AT_MOST.addresses },
  ),
  infrastructure: mapOf({
    annotations: { ...TEXT_MAP, atMost: AT_MOST.infrastructureAnnotations, entriesAtMost: 4096 },
    labels: {
      ...TEXT_MAP,
      atMost: AT_MOST.infrastructureLabels,
      entriesAtMost: 63,
      pattern: /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/,
      takes: 'a value of a label',
    },
    parametersRef: mapOf({ group: REQUIRED_GROUP, kind: REQUIRED_KIND, name: NAME }),
  }),
  allowedListeners: mapOf({
    namespaces: withDefault({
      from: { ...oneOf('All', 'Selector', 'Same', 'None'), default: 'None' },
      selector: SELECTOR,
    }),
  }),
  defaultScope: oneOf('All', 'None'),
  tls: mapOf({
    backend: mapOf({ clientCertificateRef: mapOf(SECRET) }),
    frontend: mapOf({
      default: mapOf(FRONTEND, REQUIRED),
      perPort: listOf({ port: { ...PORT, ...REQUIRED }, tls: mapOf(FRONTEND, REQUIRED) }, { atMost: 64 }),
    }),
  }),
};

export const LISTENER_SET_FIELDS: SchemaFields = {
  parentRef: mapOf(PARENT, REQUIRED),
  listeners: LISTENERS,
};

export const TCP_ROUTE_FIELDS: SchemaFields = {
  parentRefs: listOf({ ...PARENT, sectionName: SECTION_NAME, port: PORT }, { atMost: AT_MOST.parents }),
  useDefaultGateways: oneOf('All', 'None'),
  rules: listOf(
    {
      name: SECTION_NAME,
      backendRefs: listOf(
        {
          ...referenceTo('', 'Service'),
          port: PORT,
          weight: { shape: Shape.INTEGER, format: 'int32', default: 1, atLeast: 0, atMost: AT_MOST.weight },
        },
        { ...REQUIRED, atLeast: 1, atMost: AT_MOST.backends },
      ),
    },
    { ...REQUIRED, atLeast: 1, atMost: 1 },
  ),
};

export const TLS_ROUTE_FIELDS: SchemaFields = {
  ...TCP_ROUTE_FIELDS,
  hostnames: {
    shape: Shape.TEXTS,
    ...REQUIRED,
    atLeast: 1,
    atMost: AT_MOST.hostnames,
    pattern: HOSTNAME.pattern,
    entriesAtMost: 253,
  },
};

export const REFERENCE_GRANT_FIELDS: SchemaFields = {
  from: listOf(
    { group: REQUIRED_GROUP, kind: REQUIRED_KIND, namespace: { ...NAMESPACE, ...REQUIRED } },
    { ...REQUIRED, atLeast: 1, atMost: AT_MOST.grants },
  ),
  to: listOf(
    { group: REQUIRED_GROUP, kind: REQUIRED_KIND, name: { ...TEXT, atLeast: 1, atMost: 253 } },
    { ...REQUIRED, atLeast: 1, atMost: AT_MOST.grants },
  ),
};
