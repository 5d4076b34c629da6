import { grouped, isMap, isSet, type Json, list, mapsIn, unquoted } from '../contract/json';
import { POD_NAME_LABEL } from '../contract/kubernetes.facts';
import { labelKeyFault, labelValueFault, portFault, portNameFault } from '../contract/kubernetes-syntax';
import {
  demandedPools,
  isToleratedLater,
  podTemplateOf,
  podTemplatePointer,
  taintsAgainst,
} from '../contract/pod-placement';
import type { Finding } from '../contract/rule';
import type { IndexedObject } from './objects';
import type { Rule } from './rule';
import { portsOf, wantsLoadBalancer } from './service-json';

/** Workloads among some objects, found by what a Service selects. */
export class Workloads {
  private readonly byLabel = new Map<string, Json[]>();

  public constructor(objects: readonly Json[]) {
    for (const object of objects) {
      for (const [key, value] of Object.entries(labelsOf(object))) {
        const place = placeOf(object, key, value);
        const found = this.byLabel.get(place);
        if (found) {
          found.push(object);
        } else {
          this.byLabel.set(place, [object]);
        }
      }
    }
  }

  /** Those that a Service selects. */
  public of(service: Json): Json[] {
    const selector = service.spec?.selector;
    const wanted = Object.entries(isMap(selector) ? selector : {});
    const found = wanted.map(([key, value]) => this.byLabel.get(placeOf(service, key, setOf(key, value))) ?? []);
    // some labels are on all pods of a namespace
    const [fewest = []] = found.sort((one, other) => one.length - other.length);
    return fewest.filter((workload) => labelsMissing(service, workload).length === 0);
  }
}

/** The labels that a Service selects, and that no pod of a workload has. */
export function labelsMissing(service: Json, workload: Json): [key: string, value: unknown][] {
  const selector = service.spec?.selector;
  const labels = labelsOf(workload);
  return Object.entries(isMap(selector) ? selector : {}).filter(([key, value]) => labels[key] !== setOf(key, value));
}

function setOf(key: string, value: unknown): unknown {
  return key === POD_NAME_LABEL ? String(value).replace(ORDINAL, '') : value;
}

/** What the name of such a pod ends with. */
export const ORDINAL = /-(\d+)$/;

/** The labels of the pods of a workload; a StatefulSet is found by what the names of its pods begin with. */
function labelsOf(workload: Json): Json {
  const labels = podTemplateOf(workload)?.metadata?.labels;
  const own = isMap(labels) ? labels : {};
  return workload.kind === 'StatefulSet' ? { ...own, [POD_NAME_LABEL]: workload.metadata?.name } : own;
}

function placeOf({ metadata }: Json, key: string, value: unknown): string {
  return JSON.stringify([metadata?.namespace ?? '', key, value]);
}

// Whether a Service selects pods that there are.

/** How messages call a workload. */
export function titleOf({ kind, metadata }: Json): string {
  return `${kind} ${typeof metadata?.name === 'string' ? metadata.name : 'without a name'}`;
}

/** Whether something else than the manifest of a workload decides how many pods it has. */
function isScaledByOthers({ kind, metadata }: Json, { index, namespace }: IndexedObject): boolean {
  const names = (reference: unknown) =>
    isMap(reference) && reference.name === metadata?.name && (reference.kind ?? 'Deployment') === kind;
  return index.all.some(
    ({ json, group, namespace: own }) =>
      own === namespace &&
      // an autoscaler of Kubernetes is off while there are none
      ((group !== 'autoscaling' && names(json.spec?.scaleTargetRef)) || names(json.spec?.workloadRef)),
  );
}

function withoutPods(workload: Json, service: Json): string | undefined {
  const { kind, spec } = workload;
  const pod: unknown = service.spec?.selector?.[POD_NAME_LABEL];
  const ordinal = kind === 'StatefulSet' ? Number(ORDINAL.exec(String(pod))?.[1] ?? 0) : 0;
  const first = Number(spec?.ordinals?.start ?? 0);
  const replicas: unknown = spec?.replicas ?? 1;
  return typeof replicas !== 'number' || (ordinal < first + replicas && replicas > 0)
    ? undefined
    : `${titleOf(workload)} has replicas ${replicas}${replicas > 0 ? `, and no pod '${pod}'` : ''}`;
}

function folderOf({ scopes }: IndexedObject): unknown {
  return scopes.at(-2);
}

/** A Service selects pods of the workloads beside it. */
export const SELECTED_POD_RULES: readonly Rule[] = [
  {
    id: 'no-replicas',
    who: 'kubernetes',
    severity: 'warning',
    effect: 'no-targets',
    decidedBy: ['spec.replicas', 'spec.ordinals', 'spec.selector'],
    says: 'selected workload has no replicas',
    source: {
      repository: 'kubernetes/kubernetes',
      version: 'v1.36.3',
      file: 'pkg/controller/replicaset/replica_set.go',
    },
    judge(service, { workload, workloads = workload ? [workload] : [], among }) {
      const reasons = workloads.map((one) => withoutPods(one, service));
      const isOpen = workloads.length === 0 || reasons.includes(undefined);
      return isOpen || (among && workloads.some((one) => isScaledByOthers(one, among)))
        ? undefined
        : {
            what: `${reasons.join(', ')}, so no pod is behind the Service`,
            remedy: 'set replicas to 1 or more, or acknowledge it while the workload is off',
            at: '/spec/selector',
          };
    },
  },
  {
    id: 'selects-no-workload',
    who: 'kubernetes',
    severity: 'warning',
    says: 'selector matches no workload',
    source: { repository: 'kubernetes/api', version: 'v0.36', file: 'core/v1/types.go' },
    on: ['spec.selector'],
    judge(service, { workloads, among }) {
      const selector = isMap(service.spec?.selector) ? service.spec.selector : {};
      const keys = Object.keys(selector);
      if (!among || workloads === undefined || workloads.length > 0 || keys.length === 0) {
        return undefined;
      }
      const near = among.index
        .once('pods of folders', ({ all }) =>
          grouped(
            all.filter(({ json }) => podTemplateOf(json)),
            folderOf,
          ),
        )
        .get(folderOf(among))
        ?.find(({ json, namespace, unit }) => {
          const labels = podTemplateOf(json)?.metadata?.labels;
          // files without a namespace may be of any
          const isBeside = namespace === among.namespace && (namespace !== undefined || unit === among.unit);
          return isBeside && isMap(labels) && keys.every((key) => Object.hasOwn(labels, key));
        });
      if (!near) {
        return undefined;
      }
      const labels = podTemplateOf(near.json)?.metadata.labels;
      const [key] = keys.filter((one) => labels[one] !== selector[one]);
      return {
        what: `selector ${key}=${unquoted(selector[key])} matches no workload among the files, and pods of ${titleOf(near.json)} have ${key}=${unquoted(labels[key])}: the Service has no pods unless they are created elsewhere`,
        remedy: 'select labels that the pod template has',
        value: unquoted(selector[key]),
        at: `/spec/selector/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      };
    },
  },
];

// What the API server refuses in the workload behind a Service, and what keeps its pods from getting traffic.
// kubernetes/kubernetes v1.36, pkg/apis/apps/validation/validation.go and pkg/apis/core/validation/validation.go

const API_SERVER = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/apps/validation/validation.go',
};

function refuses(id: string, says: string, judge: Rule['judge']): Rule {
  return { id, who: 'kubernetes', severity: 'error', says, source: API_SERVER, judge };
}

function podSpecOf(workload: Json): Json {
  const spec = podTemplateOf(workload)?.spec;
  return isMap(spec) ? spec : {};
}

function podSpecPointer({ kind }: Json): string {
  return `${podTemplatePointer(kind)}/spec`;
}

function containersOf(workload: Json): Json[] {
  const pod = podSpecOf(workload);
  return [...list<Json>(pod.containers), ...list<Json>(pod.initContainers)].filter(isMap);
}

/** A named port is found by its protocol as well. k8s.io/kubernetes: pkg/api/v1/pod/util.go, FindPort */
function protocolOf({ protocol }: Json): string {
  return protocol || 'TCP';
}

/** Whether the pods of a workload run on any node, as far as the node pools are known. */
export const TAINT_RULE: Rule = {
  id: 'pool-taint-tolerated',
  who: 'kubernetes',
  severity: 'warning',
  effect: 'no-targets',
  decidedBy: ['nodeSelector', 'affinity', 'tolerations', 'runtimeClassName', 'resources'],
  says: 'taints of the node pool are not tolerated',
  source: {
    repository: 'kubernetes/kubernetes',
    version: 'v1.36.3',
    file: 'pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go',
  },
  judge(workload, { nodePools = [] }) {
    const pod = podSpecOf(workload);
    const demanded = demandedPools(pod, nodePools).map((pool) => ({
      pool,
      taints: taintsAgainst(pod, pool).filter(({ key }) => !isToleratedLater(pod, key)),
    }));
    if (demanded.length === 0 || pod.runtimeClassName || demanded.some(({ taints }) => taints.length === 0)) {
      return undefined;
    }
    const [{ pool, taints }] = demanded;
    const [taint] = taints;
    return {
      what: `the pods demand nodes of pool '${pool.name}', whose taint ${taint} they do not tolerate: none is scheduled, and a balancer in front has no pod to send to`,
      remedy: `tolerate ${taint} in the pod template, or choose other nodes`,
      value: Object.values(pool.labels)[0],
    };
  },
};

/** The rules for Deployments, StatefulSets, DaemonSets, ReplicaSets, Jobs, CronJobs and Pods. */
export const WORKLOAD_RULES: readonly Rule[] = [
  refuses('workload-selector', 'selector of a workload does not match its own pods', (workload) => {
    const labels = podTemplateOf(workload)?.metadata?.labels ?? {};
    return Object.entries(isMap(workload.spec?.selector?.matchLabels) ? workload.spec.selector.matchLabels : {})
      .filter(([key, value]) => labels[key] !== value)
      .map(([key, value]) => ({
        what: `selector ${key}=${unquoted(value)} does not match the labels of the pod template`,
        remedy: 'give the pods that label, or take it out of the selector',
        value: `${key}=${unquoted(value)}`,
      }));
  }),
  refuses('container-port', 'invalid port of a container', (workload) =>
    ['containers', 'initContainers'].flatMap((field) =>
      placedIn(podSpecOf(workload)[field], `${podSpecPointer(workload)}/${field}`).flatMap((container) =>
        placedIn(container.value.ports, `${container.at}/ports`).flatMap(({ value: port, at }) => [
          ...inTemplate(
            'container port',
            isSet(port.containerPort) ? portFault(port.containerPort) : 'containerPort is missing',
            `${at}/containerPort`,
          ),
          ...inTemplate(
            'container port',
            isSet(port.name) ? portNameFault(String(port.name)) : undefined,
            `${at}/name`,
          ),
        ]),
      ),
    ),
  ),
  refuses('toleration', 'invalid toleration', (workload) =>
    placedIn(podSpecOf(workload).tolerations, `${podSpecPointer(workload)}/tolerations`).flatMap(({ value, at }) =>
      inTemplate('toleration', tolerationFault(value), at),
    ),
  ),
  refuses('node-affinity', 'invalid term of node affinity', (workload) => {
    const terms = ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
    const all = terms.reduce<unknown>(
      (json, key) => (isMap(json) ? json[key] : undefined),
      podSpecOf(workload).affinity,
    );
    return placedIn(all, `${podSpecPointer(workload)}/affinity/${terms.join('/')}`).flatMap((term) =>
      placedIn(term.value.matchExpressions, `${term.at}/matchExpressions`).flatMap(({ value, at }) =>
        inTemplate('node affinity', expressionFault(value), at),
      ),
    );
  }),
  TAINT_RULE,
];

function placedIn(items: unknown, at: string): { readonly value: Json; readonly at: string }[] {
  return list(items).flatMap((value, i) => (isMap(value) ? [{ value, at: `${at}/${i}` }] : []));
}

function inTemplate(thing: string, fault: string | undefined, at: string): Finding[] {
  return fault === undefined ? [] : [{ what: `${thing}: ${fault}`, remedy: 'mend it in the pod template', at }];
}

function tolerationFault(toleration: Json): string | undefined {
  const { key, value, effect } = toleration;
  const operator = toleration.operator || 'Equal';
  if (isSet(key) && key !== '') {
    const fault = labelKeyFault(String(key)) ?? (isSet(value) ? labelValueFault(String(value)) : undefined);
    if (fault) return fault;
  }
  if (!['Equal', 'Exists', 'Lt', 'Gt'].includes(operator)) return `operator '${operator}' is unknown`;
  if (operator === 'Exists' && value) return `operator Exists takes no value, but '${value}' is set`;
  if (!key && operator !== 'Exists') return `operator ${operator} needs a key`;
  const effects = [undefined, null, '', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];
  return effects.includes(effect) ? undefined : `effect '${effect}' is unknown`;
}

function expressionFault(expression: Json): string | undefined {
  const { key, operator, values } = expression;
  const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
  if (!isSet(operator)) return 'an expression has no operator';
  if (!operators.includes(operator)) return `operator '${operator}' is unknown`;
  const wantsValues = operator === 'In' || operator === 'NotIn';
  if (wantsValues && list(values).length === 0) return `operator ${operator} on '${key}' has no values`;
  const takesNone = operator === 'Exists' || operator === 'DoesNotExist';
  if (takesNone && list(values).length > 0) return `operator ${operator} on '${key}' takes no values`;
  return labelKeyFault(String(key));
}

/** Where an object is, by the manifest. */
export function placed(namespace: unknown): string {
  return namespace === undefined ? 'has no namespace' : `is in namespace ${namespace}`;
}

/** The ports that containers of a workload declare, and those of manifests with its name: a patch may add a container. */
function declaredPorts(workload: Json, among: IndexedObject | undefined): Json[] {
  const { kind, metadata } = workload;
  const { name, namespace } = metadata ?? {};
  const others = [namespace, undefined].flatMap(
    (own) => among?.index.named('apps', kind, { name, namespace: own }) ?? [],
  );
  return [workload, ...others.map(({ json }) => json)]
    .flatMap(containersOf)
    .flatMap((container) => mapsIn(container, 'ports'));
}

/** A Service and the workload that it was made for fit each other. */
export const ENDPOINT_RULES: readonly Rule[] = [
  {
    id: 'in-one-namespace',
    who: 'kubernetes',
    severity: 'error',
    says: 'Service in another namespace than its pods',
    source: 'ours',
    judge({ metadata }, { workload }) {
      const pods = workload?.metadata?.namespace;
      return workload && metadata?.namespace !== pods
        ? {
            what: `the Service ${placed(metadata?.namespace)}, but ${titleOf(workload)} ${placed(pods)}: a Service finds pods in its own namespace alone`,
            remedy: 'put both in one namespace',
            value: String(pods),
          }
        : undefined;
    },
  },
  {
    id: 'selects-its-pods',
    who: 'kubernetes',
    severity: 'error',
    says: 'selector does not match the pods of the workload',
    source: 'ours',
    judge(service, { workload }) {
      if (!workload) {
        return undefined;
      }
      return labelsMissing(service, workload).map(([key, value]) => ({
        what: `selector ${key}=${value} does not match the pods of ${titleOf(workload)}`,
        remedy: 'select labels that the pod template has',
        value: `${key}=${value}`,
      }));
    },
  },
  ...SELECTED_POD_RULES,
  {
    id: 'target-port-exists',
    who: 'kubernetes',
    severity: 'error',
    effect: 'no-targets',
    decidedBy: ['ports', 'targetPort'],
    says: 'named target port that no container has',
    source: 'ours',
    judge(service, { workload, workloads = workload ? [workload] : [], among }) {
      if (workloads.length === 0) {
        return undefined;
      }
      const title = workloads.map(titleOf).join(', ');
      const declared = workloads.flatMap((one) => declaredPorts(one, among));
      return portsOf(service)
        .map((port, i) => ({ ...port, at: `/spec/ports/${i}/targetPort` }) as Json)
        .filter(({ targetPort }) => typeof targetPort === 'string')
        .map(({ port, targetPort, protocol, at }) => {
          const found = declared.filter(({ name }) => name === targetPort).map(protocolOf);
          return { port, targetPort, protocol: protocolOf({ protocol }), at, found: [...new Set(found)] };
        })
        .filter(({ found, protocol }) => !found.includes(protocol))
        .map(({ port, targetPort, protocol, at, found }) => ({
          what:
            found.length === 0
              ? `port ${unquoted(port)} leads to the pod's port '${targetPort}', which no container of ${title} has`
              : `port ${unquoted(port)} is ${unquoted(protocol)} and leads to the pod's port '${targetPort}', which ${title} has for ${found.map(unquoted).join(', ')} alone, so no pod is behind it`,
          remedy: 'give a container port that name, with the same protocol, or use its number',
          value: targetPort,
          at,
        }));
    },
  },
  {
    id: 'target-port-undeclared',
    who: 'kubernetes',
    severity: 'warning',
    levelInFiles: 'note',
    says: 'target port that no container declares',
    source: 'ours',
    judge(service, { workload, among }) {
      if (!wantsLoadBalancer(service)) {
        return undefined;
      }
      const declared = workload ? declaredPorts(workload, among) : [];
      const numbers = [...new Set(declared.map(({ containerPort }) => containerPort))].filter(Number.isInteger);
      if (!workload || numbers.length === 0) {
        return undefined;
      }
      return portsOf(service)
        .map(({ port, targetPort = port }) => ({ port, target: targetPort }))
        .filter(({ target }) => typeof target === 'number' && !numbers.includes(target))
        .map(({ port, target }) => ({
          what: `port ${port} leads to port ${target} of the pods, and the containers of ${titleOf(workload)} declare ${numbers.join(', ')}`,
          remedy: 'correct targetPort, or declare the port in the container that listens on it',
          value: String(target),
        }));
    },
  },
];
