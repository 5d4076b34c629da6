import {
  cidrFault,
  dnsLabelFault,
  type Fault,
  labelKeyFault,
  labelValueFault,
  portFault,
  portNameFault,
  serviceNameFault,
  tokenFault,
} from '../contract/kubernetes-syntax';
import type { Json } from '../contract/late-rendering';
import type { Rule, Verdict } from './rule';
import { annotationsOf, finalizersOf, isMap, list, portsOf } from './service-json';

// What the API server refuses in a Service, told before it is asked.
// kubernetes/kubernetes v1.36, pkg/apis/core/validation/validation.go: ValidateService, ValidateObjectMeta

const API_SERVER = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

function refuses(id: string, says: string, judge: Rule['judge']): Rule {
  return { id, severity: 'error', says, source: API_SERVER, judge };
}

function verdict(fault: Fault, field: string, wayOut: string): Verdict | undefined {
  return fault === undefined ? undefined : { what: `${field}: ${fault}`, wayOut, value: fault };
}

/** The first fault of each, without an array where there is none. */
function each<T>(items: Iterable<T>, look: (item: T) => Verdict | undefined): Verdict[] | undefined {
  let found: Verdict[] | undefined;
  for (const item of items) {
    const said = look(item);
    if (said) {
      found ??= [];
      found.push(said);
    }
  }
  return found;
}

/** Keys are few and recur: each is looked at once. */
const knownKeys = new Map<string, Fault>();

function keyFault(key: string): Fault {
  if (!knownKeys.has(key)) {
    if (knownKeys.size > 10_000) knownKeys.clear();
    knownKeys.set(key, labelKeyFault(key));
  }
  return knownKeys.get(key);
}

const NAME_WAY_OUT = 'give it a shorter or simpler name';

const metadata: readonly Rule[] = [
  refuses('service-name', 'the name of a Service is a DNS label that begins with a letter', (service) => {
    const name = service.metadata?.name;
    return typeof name === 'string'
      ? verdict(tokenFault(name) ?? serviceNameFault(name), 'metadata.name', NAME_WAY_OUT)
      : { what: 'the Service has no name', wayOut: 'name it' };
  }),
  refuses('namespace-name', 'the name of a namespace is a DNS label', ({ metadata }) =>
    typeof metadata?.namespace === 'string'
      ? verdict(dnsLabelFault(metadata.namespace), 'metadata.namespace', NAME_WAY_OUT)
      : undefined,
  ),
  refuses('label-syntax', 'labels have qualified names and short values', ({ metadata }) =>
    each(Object.entries(isMap(metadata?.labels) ? metadata.labels : {}), ([key, value]) =>
      verdict(
        keyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : `the value of '${key}' is no text`),
        'metadata.labels',
        'use a label that Kubernetes accepts',
      ),
    ),
  ),
  refuses('annotation-syntax', 'annotations have qualified names and values of text', (service) =>
    each(Object.entries(annotationsOf(service)), ([key, value]) =>
      verdict(
        keyFault(key.toLowerCase()) ?? (typeof value === 'string' ? tokenFault(value) : notText(key, value)),
        'metadata.annotations',
        'write qualified names and quoted texts',
      ),
    ),
  ),
  refuses('finalizer-syntax', 'finalizers are qualified names with a domain', (service) =>
    each(finalizersOf(service), (finalizer) =>
      verdict(
        typeof finalizer === 'string' && finalizer.includes('/')
          ? keyFault(finalizer)
          : `'${finalizer}' has no domain before a slash`,
        'metadata.finalizers',
        'write domain/name',
      ),
    ),
  ),
];

function notText(key: string, value: unknown): string {
  return `the value of '${key}' is ${JSON.stringify(value)}, no text`;
}

const ports: readonly Rule[] = [
  refuses('service-ports', 'a Service has ports, each from 1 to 65535', (service) => {
    const found = portsOf(service);
    if (found.length === 0) {
      return { what: 'the Service has no ports', wayOut: 'name at least one' };
    }
    return each(found, (port) => verdict(portFault(port.port), 'spec.ports.port', 'use a port from 1 to 65535'));
  }),
  refuses('target-port', 'the target of a port is a port number or the name of a port', (service) =>
    each(portsOf(service), ({ port, targetPort }) =>
      targetPort === undefined
        ? undefined
        : verdict(
            typeof targetPort === 'string' ? portNameFault(targetPort) : portFault(targetPort),
            `spec.ports, target of port ${port}`,
            'use the number or the name of a port of the pod',
          ),
    ),
  ),
  refuses('port-name', 'the ports of a Service have names, each a DNS label, where there are several', (service) => {
    const found = portsOf(service);
    const seen = new Set<unknown>();
    return each(found, ({ port, name }) => {
      if (name === undefined) {
        return found.length > 1 ? { what: `port ${port} has no name beside others`, wayOut: 'name every port' } : undefined;
      }
      const twice = seen.has(name) ? `'${name}' names two ports` : undefined;
      seen.add(name);
      return verdict(twice ?? dnsLabelFault(String(name)), 'spec.ports.name', 'give each port a short name of its own');
    });
  }),
  refuses('port-duplicate', 'a pair of port and protocol stands once', (service) => {
    const seen = new Set<string>();
    return each(portsOf(service), ({ port, protocol = 'TCP' }) => {
      const pair = `${port}/${protocol}`;
      const twice = seen.has(pair);
      seen.add(pair);
      return twice ? { what: `port ${pair} stands twice`, wayOut: 'drop one of the two', value: pair } : undefined;
    });
  }),
  refuses('port-protocol', 'the protocol of a port is TCP, UDP or SCTP', (service) =>
    each(portsOf(service), ({ port, protocol }) =>
      protocol === undefined || ['TCP', 'UDP', 'SCTP'].includes(protocol)
        ? undefined
        : { what: `protocol '${protocol}' of port ${port} is unknown`, wayOut: 'use TCP, UDP or SCTP', value: protocol },
    ),
  ),
  refuses('app-protocol', 'appProtocol is a qualified name', (service) =>
    each(portsOf(service), ({ appProtocol }) =>
      appProtocol === undefined
        ? undefined
        : verdict(keyFault(String(appProtocol)), 'spec.ports.appProtocol', 'use a name like https or kubernetes.io/h2c'),
    ),
  ),
  refuses('node-port', 'node ports are ports, each once for a protocol', (service) => {
    const seen = new Set<string>();
    return each(portsOf(service), ({ nodePort, protocol = 'TCP' }) => {
      if (nodePort === undefined || nodePort === 0) {
        return undefined;
      }
      const pair = `${nodePort}/${protocol}`;
      const twice = seen.has(pair) ? `${pair} stands twice` : undefined;
      seen.add(pair);
      return verdict(portFault(nodePort) ?? twice, 'spec.ports.nodePort', 'leave it out, or use a free one of the cluster');
    });
  }),
];

/** Whether a field stands on a Service of a type that may not have it. */
function onlyOn(types: readonly string[], field: string, id: string): Rule {
  return refuses(id, `${field} stands on Services of type ${types.join(' or ')} only`, ({ spec }) => {
    const type = spec?.type ?? 'ClusterIP';
    return spec?.[field] === undefined || types.includes(type)
      ? undefined
      : { what: `${field} stands on a Service of type ${type}`, wayOut: `remove it, or make the type ${types[0]}`, value: type };
  });
}

function isOneOf(field: string, values: readonly string[], id: string): Rule {
  return refuses(id, `${field} is one of ${values.join(', ')}`, ({ spec }) =>
    spec?.[field] === undefined || values.includes(spec[field])
      ? undefined
      : { what: `${field} '${spec[field]}' is unknown`, wayOut: `use one of ${values.join(', ')}`, value: String(spec[field]) },
  );
}

const fields: readonly Rule[] = [
  isOneOf('type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'], 'service-type'),
  isOneOf('externalTrafficPolicy', ['Cluster', 'Local'], 'traffic-policy'),
  isOneOf('internalTrafficPolicy', ['Cluster', 'Local'], 'internal-traffic-policy'),
  isOneOf('sessionAffinity', ['None', 'ClientIP'], 'session-affinity'),
  isOneOf('ipFamilyPolicy', ['SingleStack', 'PreferDualStack', 'RequireDualStack'], 'ip-family-policy'),
  onlyOn(['LoadBalancer'], 'loadBalancerClass', 'class-on-type'),
  onlyOn(['LoadBalancer'], 'allocateLoadBalancerNodePorts', 'allocate-node-ports-on-type'),
  onlyOn(['LoadBalancer'], 'loadBalancerSourceRanges', 'source-ranges-on-type'),
  onlyOn(['LoadBalancer', 'NodePort'], 'externalTrafficPolicy', 'traffic-policy-on-type'),
  refuses('class-syntax', 'a load balancer class is a qualified name', ({ spec }) =>
    spec?.loadBalancerClass === undefined
      ? undefined
      : verdict(keyFault(String(spec.loadBalancerClass)), 'spec.loadBalancerClass', 'write domain/name'),
  ),
  refuses('health-check-node-port', 'healthCheckNodePort stands on Services of type LoadBalancer with policy Local only', ({ spec }) =>
    !spec?.healthCheckNodePort || (spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local')
      ? undefined
      : {
          what: `healthCheckNodePort ${spec.healthCheckNodePort} stands without externalTrafficPolicy Local`,
          wayOut: 'remove it; Kubernetes chooses one where it is needed',
          value: String(spec.healthCheckNodePort),
        },
  ),
  refuses('source-range', 'source ranges are CIDRs', ({ spec }) =>
    each(list<string>(spec?.loadBalancerSourceRanges), (range) =>
      verdict(cidrFault(String(range).trim()), 'spec.loadBalancerSourceRanges', 'write address/length'),
    ),
  ),
  refuses('selector', 'a Service selects pods by labels', (service) => {
    const selector = service.spec?.selector;
    if (service.spec?.type === 'ExternalName') {
      return undefined;
    }
    if (!isMap(selector) || Object.keys(selector).length === 0) {
      return {
        what: 'the selector is empty, so no pod is ever behind the Service',
        wayOut: 'pass a workload, or a selector with at least one label',
      };
    }
    return each(Object.entries(selector), ([key, value]) =>
      verdict(
        keyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : notText(key, value)),
        'spec.selector',
        'use labels that pods can carry',
      ),
    );
  }),
  refuses('ip-families', 'IP families agree with their policy', ({ spec }) => {
    const families = list<string>(spec?.ipFamilies);
    const odd = families.find((family) => family !== 'IPv4' && family !== 'IPv6');
    if (odd !== undefined) {
      return { what: `IP family '${odd}' is unknown`, wayOut: 'use IPv4 or IPv6', value: odd };
    }
    return families.length > 1 && spec?.ipFamilyPolicy === 'SingleStack'
      ? { what: `two IP families stand with policy SingleStack`, wayOut: 'keep one, or use RequireDualStack' }
      : undefined;
  }),
  refuses('session-affinity-timeout', 'the timeout of session affinity is one second to one day', ({ spec }) => {
    const seconds = spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds;
    const ok = seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86400);
    return ok
      ? undefined
      : { what: `session affinity of ${seconds} seconds is out of range`, wayOut: 'use 1 to 86400 seconds', value: String(seconds) };
  }),
];

/** What works and surprises on every platform. */
const surprises: readonly Rule[] = [
  {
    id: 'not-ready-with-local',
    severity: 'warning',
    says: 'pods that are not ready do not count where policy Local lets the balancer ask for ready pods',
    source: { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' },
    judge: ({ spec }: Json) =>
      spec?.type === 'LoadBalancer' && spec.publishNotReadyAddresses === true && spec.externalTrafficPolicy === 'Local'
        ? {
            what: 'publishNotReadyAddresses with policy Local makes nodes whose pods are not ready pass the health check',
            wayOut: 'leave publishNotReadyAddresses out, or use policy Cluster',
            value: 'true',
          }
        : undefined,
  },
];

/** The rules of the API server for Services, and what surprises on every platform. */
export const SERVICE_RULES: readonly Rule[] = [...metadata, ...ports, ...fields, ...surprises];
