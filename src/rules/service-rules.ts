import { isMap, type Json, list } from '../contract/json';
import { ENDPOINT_SLICE } from '../contract/kubernetes.facts';
import { cidrFault, labelValueFault, portFault } from '../contract/kubernetes-syntax';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { rangeOfAllAmong } from '../contract/source-ranges';
import { each, eachEntry, faultFinding, keyFault, refuses, refusesField } from './api-server-rule';
import { knownKinds } from './known-kinds';
import type { IndexedObject } from './objects';
import type { Rule } from './rule';
import { FIELD_TYPE, UNKNOWN_FIELD } from './service-fields';
import { annotationsOf, isService } from './service-json';
import { SERVICE_ADDRESS_RULES, SERVICE_METADATA_RULES, SERVICE_PORT_RULES } from './service-parts-rules';

/** Annotations of balancers are read on Services that get one. */
export const BALANCER_ANNOTATION_ON_TYPE: Rule = {
  id: 'balancer-annotation-on-type',
  severity: 'warning',
  who: 'kubernetes',
  says: 'load balancer annotation on a Service that gets no balancer',
  source: 'ours',
  on: ['metadata.annotations'],
  judge(service, { kind }) {
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
      return reader === undefined
        ? []
        : [
            {
              what: `${key} does nothing on a Service of type ${type}, of which ${reader.name} makes no load balancer`,
              remedy: 'write type: LoadBalancer where a balancer is meant, or remove the annotation',
              value: key,
              at: `/metadata/annotations/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
            },
          ];
    });
  },
};

function onlyOn(types: readonly string[], field: string, id: string): Rule {
  const says = `${field} is on Services of type ${types.join(' or ')} only`;
  return refusesField(field, id, says, (value, { type: written, externalIPs }) => {
    const type = written || 'ClusterIP';
    const isReached = field === 'externalTrafficPolicy' && type === 'ClusterIP' && list(externalIPs).length > 0;
    const isEmpty = field !== 'loadBalancerClass' && (value === '' || (Array.isArray(value) && value.length === 0));
    return types.includes(type) || isEmpty || isReached
      ? undefined
      : {
          what: `${field} is on a Service of type ${type}`,
          remedy: `remove it, or make the type ${types[0]}`,
          value: type,
        };
  });
}

function hasWrittenEndpoints({ index, name, namespace }: IndexedObject): boolean {
  const isSlice = (one: IndexedObject) => one.label(ENDPOINT_SLICE.ofService) === name;
  return (
    index.named('', 'Endpoints', { name, namespace }).length > 0 ||
    index.of(ENDPOINT_SLICE.group, ENDPOINT_SLICE.kind).some((one) => one.namespace === namespace && isSlice(one))
  );
}

/** Fields that an empty text leaves to their default. */
const EMPTY_IS_UNSET = ['type', 'externalTrafficPolicy', 'sessionAffinity'];

function isOneOf(field: string, values: readonly string[], id: string): Rule {
  const words = values.join(', ');
  return refusesField(field, id, `${field} is one of ${words}`, (value) =>
    values.includes(value) || (value === '' && EMPTY_IS_UNSET.includes(field))
      ? undefined
      : { what: `${field} '${value}' is unknown`, remedy: `use one of ${words}`, value: String(value) },
  );
}

const SERVICE_FIELD_RULES: readonly Rule[] = [
  isOneOf('type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'], 'service-type'),
  isOneOf('externalTrafficPolicy', ['Cluster', 'Local'], 'traffic-policy'),
  isOneOf('internalTrafficPolicy', ['Cluster', 'Local'], 'internal-traffic-policy'),
  isOneOf('sessionAffinity', ['None', 'ClientIP'], 'session-affinity'),
  isOneOf('ipFamilyPolicy', ['SingleStack', 'PreferDualStack', 'RequireDualStack'], 'ip-family-policy'),
  isOneOf('trafficDistribution', ['PreferClose', 'PreferSameZone', 'PreferSameNode'], 'traffic-distribution'),
  onlyOn(['LoadBalancer'], 'loadBalancerClass', 'class-on-type'),
  onlyOn(['LoadBalancer'], 'allocateLoadBalancerNodePorts', 'allocate-node-ports-on-type'),
  onlyOn(['LoadBalancer'], 'loadBalancerSourceRanges', 'source-ranges-on-type'),
  onlyOn(['LoadBalancer', 'NodePort'], 'externalTrafficPolicy', 'traffic-policy-on-type'),
  refusesField('clusterIP', 'headless-load-balancer', 'headless Service of type LoadBalancer', (ip, { type }) =>
    ip === 'None' && (type === 'LoadBalancer' || type === 'NodePort')
      ? {
          what: `clusterIP None is on a Service of type ${type}`,
          remedy: 'take clusterIP out, or make another Service for the balancer',
          value: 'None',
        }
      : undefined,
  ),
  refusesField('loadBalancerClass', 'class-syntax', 'invalid load balancer class', (value) =>
    faultFinding(keyFault(String(value)), 'spec.loadBalancerClass', 'write domain/name'),
  ),
  refusesField(
    'healthCheckNodePort',
    'health-check-node-port',
    'healthCheckNodePort without policy Local, or out of range',
    (port, { type, externalTrafficPolicy }) =>
      !port || (type === 'LoadBalancer' && externalTrafficPolicy === 'Local')
        ? faultFinding(port ? portFault(port) : undefined, 'spec.healthCheckNodePort', 'leave it out')
        : {
            what: `healthCheckNodePort ${port} is set without externalTrafficPolicy Local`,
            remedy: 'remove it; Kubernetes chooses one where it is needed',
            value: String(port),
          },
  ),
  {
    ...refusesField(
      'healthCheckNodePort',
      'health-check-node-port-twice',
      'healthCheckNodePort is a node port of the same Service',
      (port, { ports }) =>
        list<Json>(ports).some(({ nodePort }) => nodePort === port)
          ? {
              what: `the API server refuses the Service: healthCheckNodePort ${port} is a node port of it as well`,
              remedy: 'leave healthCheckNodePort out, or use another port',
              value: String(port),
            }
          : undefined,
    ),
    source: {
      repository: 'kubernetes/kubernetes',
      version: 'v1.36.3',
      file: 'pkg/registry/core/service/storage/alloc.go',
    },
  },
  refusesField('loadBalancerSourceRanges', 'source-range', 'source range that is not a CIDR', (ranges) =>
    each(list(ranges), (range) =>
      faultFinding(
        cidrFault(String(range).trim()),
        'spec.loadBalancerSourceRanges',
        'write an address and a prefix length, such as 10.0.0.0/8',
      ),
    ),
  ),
  refusesField('selector', 'selector', 'selector that no pod can match', (selector) =>
    eachEntry(selector, (key, value) =>
      faultFinding(
        keyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : undefined),
        'spec.selector',
        'use labels that pods can carry',
      ),
    ),
  ),
  refusesField(
    'ipFamilies',
    'ip-families',
    'IP families that contradict their policy',
    (value, { ipFamilyPolicy, clusterIP, selector }) => {
      const families = list(value);
      const odd = families.find((family) => family !== 'IPv4' && family !== 'IPv6');
      if (odd !== undefined) {
        return { what: `IP family '${odd}' is unknown`, remedy: 'use IPv4 or IPv6', value: String(odd) };
      }
      if (new Set(families).size < families.length) {
        return { what: `IP families ${families.join(', ')} repeat one`, remedy: 'write each once' };
      }
      const isUnselected = clusterIP === 'None' && Object.keys(selector ?? {}).length === 0;
      const policy = ipFamilyPolicy ?? (isUnselected ? 'RequireDualStack' : 'SingleStack');
      return families.length > 1 && policy === 'SingleStack'
        ? { what: 'two IP families are set with policy SingleStack', remedy: 'keep one, or use RequireDualStack' }
        : undefined;
    },
  ),
  refusesField(
    'sessionAffinityConfig',
    'session-affinity-timeout',
    'session affinity timeout outside of one second to one day',
    (config, { sessionAffinity }) => {
      const seconds = config?.clientIP?.timeoutSeconds;
      const isRead = sessionAffinity === 'ClientIP';
      const ok = !isRead || seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86400);
      return ok
        ? undefined
        : {
            what: `session affinity of ${seconds} seconds is out of range`,
            remedy: 'use 1 to 86400 seconds',
            value: String(seconds),
          };
    },
  ),
];

/** Since when the API server knows a field without a feature gate. kubernetes/api, core/v1/types.go; KEP 1959, 1864, 563 */
const FIELD_SINCE: readonly [string, KubernetesVersion][] = [
  ['ipFamilies', KubernetesVersion.of('1.20')],
  ['loadBalancerClass', KubernetesVersion.of('1.22')],
  ['allocateLoadBalancerNodePorts', KubernetesVersion.of('1.22')],
  ['internalTrafficPolicy', KubernetesVersion.of('1.22')],
  ['trafficDistribution', KubernetesVersion.of('1.31')],
];

const FIELD_VERSION_RULES = FIELD_SINCE.map(([field, since]): Rule => {
  const says = `${field} is read from Kubernetes ${since.version} on`;
  const judge: Rule['judge'] = (_, { kubernetes }) =>
    kubernetes.isAtLeast(since)
      ? undefined
      : {
          what: `Kubernetes ${kubernetes.version} drops ${field} silently`,
          remedy: `use Kubernetes ${since.version} or newer, or leave out what needs ${field}`,
          value: kubernetes.version,
        };
  return {
    ...refuses(`since-${since.version.replace('.', '-')}-${field.toLowerCase()}`, says, judge),
    effect: 'ignored',
    on: [`spec.${field}`],
  };
});

const SURPRISES: readonly Rule[] = [
  BALANCER_ANNOTATION_ON_TYPE,
  {
    id: 'external-ips-deprecated',
    who: 'kubernetes',
    severity: 'warning',
    says: 'externalIPs are deprecated since Kubernetes 1.36',
    source: {
      repository: 'kubernetes/enhancements',
      version: 'v1.36 (KEP-5707)',
      file: 'keps/sig-network/5707-deprecate-service-externalips/README.md',
    },
    on: ['spec.externalIPs'],
    judge: ({ spec }) =>
      list(spec.externalIPs).length > 0
        ? {
            what: 'spec.externalIPs is deprecated since Kubernetes 1.36, is to be off by default from 1.40, and chooses no address of a load balancer',
            remedy: 'use type LoadBalancer with a controller that gives the address, such as MetalLB',
            value: list(spec.externalIPs).map(String).join(', '),
            at: '/spec/externalIPs',
          }
        : undefined,
  },
  {
    id: 'selects-nothing',
    who: 'kubernetes',
    severity: 'warning',
    says: 'no selector',
    source: { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' },
    judge({ spec, metadata }, { among }) {
      // a label of a wrong type is the subject of another rule
      const selector: unknown = among?.json.spec?.selector ?? spec?.selector;
      for (const _ in isMap(selector) ? selector : {}) {
        return undefined;
      }
      if (among && hasWrittenEndpoints(among)) {
        return undefined;
      }
      // the API server writes the EndpointSlices of its own Service
      const isOfApiServer = metadata?.name === 'kubernetes' && metadata.namespace === 'default';
      return spec?.type === 'ExternalName' || isOfApiServer
        ? undefined
        : {
            what: 'the selector is empty, so no pod is behind the Service unless its EndpointSlices are written by hand',
            remedy: 'select pods by at least one label',
            at: '/spec/selector',
          };
    },
  },
  {
    id: 'source-range-of-all',
    who: 'kubernetes',
    severity: 'warning',
    says: 'source range of all addresses beside narrower ones',
    source: { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' },
    on: ['spec.loadBalancerSourceRanges'],
    judge({ spec }) {
      const open = rangeOfAllAmong(list(spec.loadBalancerSourceRanges), 'loadBalancerSourceRanges');
      return open && { ...open, at: '/spec/loadBalancerSourceRanges' };
    },
  },
  {
    id: 'not-ready-with-local',
    who: 'kubernetes',
    severity: 'warning',
    says: 'pods that are not ready pass the health check of policy Local',
    source: { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' },
    on: ['spec.publishNotReadyAddresses'],
    judge: ({ spec }) =>
      spec?.type === 'LoadBalancer' && spec.publishNotReadyAddresses === true && spec.externalTrafficPolicy === 'Local'
        ? {
            what: 'publishNotReadyAddresses with policy Local makes nodes whose pods are not ready pass the health check',
            remedy: 'leave publishNotReadyAddresses out, or use policy Cluster',
            value: 'true',
          }
        : undefined,
  },
];

/** What the API server refuses in a Service, reported before it is asked, and what surprises on every platform. */
export const SERVICE_RULES: readonly Rule[] = [
  FIELD_TYPE,
  UNKNOWN_FIELD,
  ...SERVICE_METADATA_RULES,
  ...SERVICE_PORT_RULES,
  ...SERVICE_FIELD_RULES,
  ...SERVICE_ADDRESS_RULES,
  ...FIELD_VERSION_RULES,
  ...SURPRISES,
];
