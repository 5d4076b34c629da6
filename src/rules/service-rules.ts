import { isIP } from 'node:net';
import { rangeOfAllAmong } from '../contract/address-ranges';
import { isMap, isSet, type Json, list, mapIn, pointer, shown } from '../contract/json';
import { CLUSTER_MESH_KEYS, ENDPOINT_SLICE, STANDARD_FINALIZERS } from '../contract/kubernetes.facts';
import {
  annotationKeyFault,
  cidrFault,
  dnsLabelFault,
  dnsNameFault,
  type Fault,
  ipFault,
  labelKeyFault,
  labelValueFault,
  portFault,
  portNameFault,
  serviceNameFault,
  tokenFault,
} from '../contract/kubernetes-syntax';
import { KubernetesVersion } from '../contract/kubernetes-version';
import type { Found } from '../contract/rule';
import { knownKinds } from './known-kinds';
import type { IndexedObject } from './objects';
import type { Rule, RuleContext } from './rule';
import { type Find, rulesOf } from './rule-set';
import { SERVICE_ROWS } from './rules.facts';
import { API_SERVER, typedService, unknownFieldsOf } from './service-fields';
import { annotationsOf, eachEntry, finalizersOf, isService, portsOf } from './service-json';

/** Keys are few and recur: each is looked at once. */
const knownKeys = new Map<string, string>();

function keyFault(key: string): Fault {
  let fault = knownKeys.get(key);
  if (fault === undefined) {
    if (knownKeys.size > 10_000) knownKeys.clear();
    fault = labelKeyFault(key) ?? '';
    knownKeys.set(key, fault);
  }
  return fault === '' ? undefined : fault;
}

function faultIn(value: Fault, more?: Found): Found | undefined {
  return value === undefined ? undefined : { ...more, value };
}

/** Findings in each port: at the field of the port, or at the port that lacks the field. */
function eachPort(service: Json, field: string, look: (port: Json) => Found | undefined): (Found | undefined)[] {
  return list<Json>(service.spec?.ports).map((port, i) => {
    const found = isMap(port) ? look(port) : undefined;
    return found && { at: `/spec/ports/${i}${isSet(port[field]) ? `/${field}` : ''}`, ...found };
  });
}

function entryFaults(map: unknown, faultOf: (key: string, text: string | undefined) => Fault): Found[] | undefined {
  return eachEntry(map, (key, value) => faultIn(faultOf(key, typeof value === 'string' ? value : undefined)));
}

const labelFault = (key: string, text: string | undefined) =>
  keyFault(key) ?? (text === undefined ? undefined : labelValueFault(text));

/** The API server takes zeros in front of the numbers of an address, for what was written long ago. */
function addressFault(text: unknown): Fault {
  return ipFault(String(text).replace(/\b0+(?=\d)/g, ''));
}

const HEADLESS = 'None';

function clusterIpFault({ clusterIP, clusterIPs }: Json): Fault {
  const several = list<string>(clusterIPs);
  const all = several.length > 0 ? several : [clusterIP ?? ''].filter((ip) => ip !== '');
  if (several.length > 0 && several[0] !== clusterIP) {
    return `clusterIPs begins with ${several[0]}, and clusterIP is ${clusterIP || 'not set'}`;
  }
  if (all.length > 1 && all.includes(HEADLESS)) {
    return `clusterIPs has ${HEADLESS} beside addresses`;
  }
  if (all.length > 2) {
    return `clusterIPs has ${all.length} addresses, and a Service has one of each family`;
  }
  const wrong = all.filter((ip) => ip !== HEADLESS).find((ip) => addressFault(ip) !== undefined);
  const families = all.map((ip) => isIP(ip));
  return wrong !== undefined
    ? `clusterIP: ${addressFault(wrong)}`
    : families.length > 1 && families[0] === families[1]
      ? `clusterIPs has two addresses of one family: ${all.join(', ')}`
      : undefined;
}

/** Ranges from which no traffic of a balancer comes, and in which Services have no address. */
const NOT_EXTERNAL = /^(0\.0\.0\.0|127\..*|169\.254\..*|224\.0\.0\..*|::|::1|fe[89ab][0-9a-f]:.*|ff[0-9a-f]2:.*)$/i;

/** Fields that the API server refuses in a Service of type ExternalName, which has no address in the cluster. */
function externalNameFault({ clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, externalName }: Json): Fault {
  const set = [
    clusterIP || list(clusterIPs).length > 0 ? 'clusterIP' : '',
    list(ipFamilies).length > 0 ? 'ipFamilies' : '',
    ipFamilyPolicy === undefined ? '' : 'ipFamilyPolicy',
  ].find((field) => field !== '');
  if (set) {
    return `${set} is on a Service of type ExternalName, which has no address in the cluster`;
  }
  const name = String(externalName ?? '').replace(/\.$/, '');
  return name === ''
    ? 'the Service is of type ExternalName, and has no externalName'
    : name.includes('*')
      ? `externalName '${name}' is not a valid DNS name`
      : dnsNameFault(name);
}

/** Since when a digit may begin the name of a Service. kubernetes/kubernetes v1.36.3, pkg/features/kube_features.go */
const LETTERLESS_SINCE = KubernetesVersion.of('1.36');

function ipFamiliesFault({ ipFamilies, ipFamilyPolicy, clusterIP, selector }: Json): Found | undefined {
  const families = list(ipFamilies);
  const odd = families.find((family) => family !== 'IPv4' && family !== 'IPv6');
  if (odd !== undefined) {
    return { case: 'unknown', value: String(odd) };
  }
  if (new Set(families).size < families.length) {
    return { case: 'twice', families: families.join(', ') };
  }
  const isUnselected = clusterIP === HEADLESS && Object.keys(selector ?? {}).length === 0;
  const policy = ipFamilyPolicy ?? (isUnselected ? 'RequireDualStack' : 'SingleStack');
  return families.length > 1 && policy === 'SingleStack' ? {} : undefined;
}

/** Annotations of balancers are read on Services that get one. */
function unreadOnType(service: Json, { kind }: RuleContext): Found[] | undefined {
  const { type = 'ClusterIP' } = service.spec ?? {};
  if (type === 'LoadBalancer' || kind !== undefined || !isService(service)) {
    return undefined;
  }
  const kinds = knownKinds();
  if (kinds.some((each) => each.claimsOtherTypes?.(service, each.installed()).claimed === 'yes')) {
    return undefined;
  }
  return Object.keys(annotationsOf(service)).flatMap((key) => {
    // others are for other products of the same cloud
    const reader = kinds.find(({ catalogue }) => {
      const { option, wish } = catalogue.find(key)?.fact ?? {};
      return option !== undefined || wish !== undefined;
    });
    return reader ? [{ type, reader: reader.name, value: key, at: pointer('/metadata/annotations', key) }] : [];
  });
}

function hasWrittenEndpoints({ index, name, namespace }: IndexedObject): boolean {
  const isSlice = (one: IndexedObject) => one.label(ENDPOINT_SLICE.ofService) === name;
  return (
    index.named('', 'Endpoints', { name, namespace }).length > 0 ||
    index.of(ENDPOINT_SLICE.group, ENDPOINT_SLICE.kind).some((one) => one.namespace === namespace && isSlice(one))
  );
}

function selectsNothing(service: Json, { among }: RuleContext): boolean {
  const { spec, metadata } = service;
  // a label of a wrong type is the subject of another rule
  const selector: unknown = among?.json.spec?.selector ?? spec?.selector;
  // the API server writes the EndpointSlices of its own Service
  const isOfApiServer = metadata?.name === 'kubernetes' && metadata.namespace === 'default';
  const annotations = annotationsOf(service);
  return (
    !(isMap(selector) && Object.keys(selector).length > 0) &&
    !(among && hasWrittenEndpoints(among)) &&
    spec?.type !== 'ExternalName' &&
    !isOfApiServer &&
    !isPart(service) &&
    !CLUSTER_MESH_KEYS.some((key) => String(annotations[key]).toLowerCase() === 'true')
  );
}

/** True if fields are missing that each Service has: server-side apply adds the others to one that is there. */
function isPart(service: Json): boolean {
  const { type, clusterIP, ports, selector, ...others } = mapIn(service, 'spec');
  return [type, clusterIP, ports, selector].every((one) => one === undefined) && Object.keys(others).length > 0;
}

type Row = { readonly on?: readonly string[] } & Partial<
  Record<'oneOf' | 'onTypes', readonly string[]> & { readonly since: string; readonly emptyIsUnset: boolean }
>;

/** Faults of a field by the attributes of its row. */
function findOf({ on: [path] = [''], oneOf, onTypes, since, emptyIsUnset }: Row): Find<Json, RuleContext> | undefined {
  const field = path.replace('spec.', '');
  if (oneOf) {
    return ({ [field]: value }) =>
      !(oneOf.includes(value) || (value === '' && emptyIsUnset)) && { value: String(value) };
  }
  if (since !== undefined) {
    const version = KubernetesVersion.of(since);
    return (_, _service, { kubernetes }) => !kubernetes.isAtLeast(version) && { value: kubernetes.version };
  }
  return (
    onTypes &&
    (({ [field]: value, type: written, externalIPs }) => {
      const type = written || 'ClusterIP';
      const isReached = field === 'externalTrafficPolicy' && type === 'ClusterIP' && list(externalIPs).length > 0;
      const isEmpty = field !== 'loadBalancerClass' && (value === '' || (Array.isArray(value) && value.length === 0));
      return !onTypes.includes(type) && !isEmpty && !isReached && { value: type };
    })
  );
}

const OF_FIELDS = Object.fromEntries(
  Object.entries(SERVICE_ROWS).map(([id, row]) => [id, findOf(row as Row)]),
) as Record<keyof typeof SERVICE_ROWS, Find<Json, RuleContext>>;

export const SERVICE_RULES: readonly Rule[] = rulesOf<typeof SERVICE_ROWS, Json>({
  rows: SERVICE_ROWS,
  source: API_SERVER,
  read: ({ spec }) => spec ?? {},
  finds: {
    ...OF_FIELDS,
    'field-wrong-type': (_, service, { wrongFields }) => wrongFields ?? typedService(service).wrong,
    'service-field-unknown': (_, service) => unknownFieldsOf(service),
    'service-name-invalid': (_, { metadata }, { kubernetes }) => {
      const name: unknown = metadata?.name;
      const at = '/metadata/name';
      if (typeof name === 'string') {
        const fault = kubernetes.isAtLeast(LETTERLESS_SINCE) ? dnsLabelFault(name) : serviceNameFault(name);
        return faultIn(tokenFault(name) ?? fault, { at });
      }
      return !metadata?.generateName && { case: 'none', at };
    },
    'generate-name-used': (_, { metadata }) =>
      typeof metadata?.name !== 'string' &&
      metadata?.generateName && { name: shown(metadata.generateName), value: String(metadata.generateName) },
    'namespace-name-invalid': (_, { metadata }) =>
      typeof metadata?.namespace === 'string' && faultIn(dnsLabelFault(metadata.namespace)),
    'label-invalid': (_, { metadata }) => entryFaults(metadata?.labels, labelFault),
    'annotation-invalid': (_, { metadata }) =>
      entryFaults(
        metadata?.annotations,
        (key, text) =>
          (keyFault(key) && annotationKeyFault(key)) ?? (text === undefined ? undefined : tokenFault(text)),
      ),
    'finalizer-invalid': (_, service) =>
      finalizersOf(service).map((finalizer) => {
        const isQualified = typeof finalizer === 'string' && finalizer.includes('/');
        const fault = STANDARD_FINALIZERS.includes(finalizer)
          ? undefined
          : `'${finalizer}' has no domain before a slash`;
        return faultIn(isQualified ? keyFault(finalizer) : fault);
      }),
    'service-ports-invalid': ({ type, clusterIP }, service) =>
      portsOf(service).length > 0
        ? eachPort(service, 'port', ({ port }) => faultIn(portFault(port)))
        : type !== 'ExternalName' && clusterIP !== HEADLESS && !isPart(service) && { case: 'none', at: '/spec/ports' },
    'target-port-invalid': (_, service) =>
      eachPort(service, 'targetPort', ({ port, targetPort: target }) =>
        target === undefined || target === 0 || target === ''
          ? undefined
          : faultIn(typeof target === 'string' ? portNameFault(target) : portFault(target), { port }),
      ),
    'port-name-invalid': (_, service) => {
      const found = portsOf(service);
      const seen = new Set<unknown>();
      return (
        !(found.length === 1 && !found[0].name) &&
        eachPort(service, 'name', ({ port, name }) => {
          const twice = seen.has(name) ? `'${name}' names two ports` : undefined;
          seen.add(name);
          return name ? faultIn(twice ?? dnsLabelFault(String(name))) : { case: 'none', port };
        })
      );
    },
    'port-duplicate': (_, service) => {
      const seen = new Set<string>();
      return eachPort(service, 'port', ({ port, protocol }) => {
        const value = `${port}/${protocol || 'TCP'}`;
        const isTwice = seen.has(value);
        seen.add(value);
        return isTwice ? { value } : undefined;
      });
    },
    'port-protocol-unknown': (_, service) =>
      eachPort(service, 'protocol', ({ port, protocol }) =>
        !protocol || ['TCP', 'UDP', 'SCTP'].includes(protocol) ? undefined : { port, value: protocol },
      ),
    'app-protocol-invalid': (_, service) =>
      eachPort(service, 'appProtocol', ({ appProtocol }) =>
        appProtocol === undefined ? undefined : faultIn(keyFault(String(appProtocol))),
      ),
    'node-port-invalid': ({ type: written }, service) => {
      const type = written || 'ClusterIP';
      const seen = new Set<string>();
      return (
        type !== 'ExternalName' &&
        eachPort(service, 'nodePort', ({ nodePort, protocol }) => {
          if (type === 'ClusterIP') {
            return nodePort ? { case: 'onType', value: String(nodePort) } : undefined;
          }
          // a node port below 1 is assigned by the API server
          if (!(nodePort > 0)) {
            return undefined;
          }
          const pair = `${nodePort}/${protocol || 'TCP'}`;
          const twice = seen.has(pair) ? `${pair} is listed twice` : undefined;
          seen.add(pair);
          return faultIn(portFault(nodePort) ?? twice);
        })
      );
    },
    'load-balancer-headless': ({ clusterIP, type }) =>
      clusterIP === HEADLESS && (type === 'LoadBalancer' || type === 'NodePort') && { type, value: HEADLESS },
    'class-invalid': ({ loadBalancerClass }) => faultIn(keyFault(String(loadBalancerClass))),
    'health-check-node-port-invalid': ({ healthCheckNodePort: port, type, externalTrafficPolicy }) =>
      port &&
      (type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
        ? faultIn(portFault(port))
        : { case: 'onPolicy', value: String(port) }),
    'health-check-node-port-conflict': ({ healthCheckNodePort: port, ports }) =>
      list<Json>(ports).some(({ nodePort }) => nodePort === port) && { value: String(port) },
    'source-range-invalid': ({ loadBalancerSourceRanges: ranges }) =>
      list(ranges).map((range) => faultIn(cidrFault(String(range).trim()))),
    'selector-invalid': ({ selector }) => entryFaults(selector, labelFault),
    'ip-families-invalid': (spec) => ipFamiliesFault(spec),
    'session-affinity-timeout-invalid': ({ sessionAffinityConfig: config, sessionAffinity }) => {
      const seconds = config?.clientIP?.timeoutSeconds;
      const isRead = sessionAffinity === 'ClientIP' && seconds !== undefined;
      return isRead && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86400) && { value: String(seconds) };
    },
    'cluster-ip-invalid': (spec) => {
      const fault = spec.type === 'ExternalName' ? undefined : clusterIpFault(spec);
      return (
        fault !== undefined && { value: fault, at: list(spec.clusterIPs).length > 0 ? '/spec' : '/spec/clusterIP' }
      );
    },
    'external-name-invalid': (spec) => spec.type === 'ExternalName' && faultIn(externalNameFault(spec)),
    'external-ip-invalid': ({ externalIPs }) =>
      list(externalIPs).map((ip) =>
        faultIn(
          addressFault(ip) ?? (NOT_EXTERNAL.test(String(ip)) ? `'${ip}' is not reached from outside` : undefined),
        ),
      ),
    'annotation-on-wrong-type': (_, service, context) => unreadOnType(service, context),
    'external-ips-deprecated': ({ externalIPs }) =>
      list(externalIPs).length > 0 && { value: list(externalIPs).map(String).join(', '), at: '/spec/externalIPs' },
    'selector-missing': (_, service, context) => selectsNothing(service, context) && { at: '/spec/selector' },
    'source-range-all': ({ loadBalancerSourceRanges: ranges }) => {
      const open = rangeOfAllAmong(list(ranges), 'loadBalancerSourceRanges');
      return open && { ...open, at: '/spec/loadBalancerSourceRanges' };
    },
    'local-policy-with-unready-pods': ({ type, publishNotReadyAddresses, externalTrafficPolicy: policy }) =>
      type === 'LoadBalancer' && publishNotReadyAddresses === true && policy === 'Local' && { value: 'true' },
  },
});
