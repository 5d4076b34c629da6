import {
  grouped,
  groupedByAll,
  isMap,
  isSet,
  type Json,
  list,
  mapIn,
  mapOf,
  mapsIn,
  pointer,
  unquoted,
  valueBySteps,
} from '../contract/json';
import { POD_NAME_LABEL } from '../contract/kubernetes.facts';
import { labelKeyFault, labelValueFault, portFault, portNameFault } from '../contract/kubernetes-syntax';
import {
  demandedPools,
  isOnEachNode,
  isToleratedByAdmission,
  podTemplateOf,
  podTemplatePointer,
  taintsAgainst,
} from '../contract/pod-placement';
import type { Found } from '../contract/rule';
import type { IndexedObject } from './objects';
import type { Rule, RuleContext } from './rule';
import { rulesOf } from './rule-set';
import { ENDPOINT_ROWS, WORKLOAD_ROWS } from './rules.facts';
import { portsOf, wantsLoadBalancer } from './service-json';

export class Workloads {
  private readonly byLabel: ReadonlyMap<string, Json[]>;

  public constructor(objects: readonly Json[]) {
    this.byLabel = groupedByAll(objects, (object) =>
      Object.entries(labelsOf(object)).map(([key, value]) => placeOf(object, key, value)),
    );
  }

  public of(service: Json): Json[] {
    const wanted = Object.entries(mapOf(service.spec?.selector));
    const found = wanted.map(([key, value]) => this.byLabel.get(placeOf(service, key, setOf(key, value))) ?? []);
    // some labels are on all pods of a namespace
    const [fewest = []] = found.sort((one, other) => one.length - other.length);
    return fewest.filter((workload) => labelsMissing(service, workload).length === 0);
  }
}

export function contextOfPods(
  workloads: readonly Json[],
  pods: readonly Json[] = workloads.map((one) => podTemplateOf(one)?.spec ?? {}),
): Pick<RuleContext, 'workload' | 'workloads' | 'pods' | 'isOnEachNode'> {
  return {
    workloads,
    // what one of several workloads has is there
    workload: workloads.length === 1 ? workloads[0] : undefined,
    pods: pods.length > 0 ? pods : undefined,
    isOnEachNode: workloads.some(({ kind }, i) => isOnEachNode(kind, pods[i])),
  };
}

export function labelsMissing(service: Json, workload: Json): [key: string, value: unknown][] {
  const labels = labelsOf(workload);
  return Object.entries(mapOf(service.spec?.selector)).filter(([key, value]) => labels[key] !== setOf(key, value));
}

function setOf(key: string, value: unknown): unknown {
  return key === POD_NAME_LABEL ? String(value).replace(ORDINAL, '') : value;
}

export const ORDINAL = /-(\d+)$/;

/** The labels of the pods of a workload; a StatefulSet is found by what the names of its pods begin with. */
function labelsOf(workload: Json): Json {
  const own = mapOf(podTemplateOf(workload)?.metadata?.labels);
  return workload.kind === 'StatefulSet' ? { ...own, [POD_NAME_LABEL]: workload.metadata?.name } : own;
}

function placeOf({ metadata }: Json, key: string, value: unknown): string {
  return `${metadata?.namespace ?? ''}\n${key}\n${unquoted(value)}`;
}

// True if a Service selects pods that there are.

export function titleOf({ kind, metadata }: Json): string {
  return `${kind} ${typeof metadata?.name === 'string' ? metadata.name : 'without a name'}`;
}

/** True if something else than the manifest of a workload decides how many pods it has. */
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

// Faults of the workload behind a Service: what the API server refuses, and what keeps its pods from getting traffic.
// kubernetes/kubernetes v1.36, pkg/apis/apps/validation/validation.go and pkg/apis/core/validation/validation.go

function podSpecOf(workload: Json): Json {
  return mapIn(podTemplateOf(workload), 'spec');
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

function placedIn(items: unknown, at: string): { readonly value: Json; readonly at: string }[] {
  return list(items).flatMap((value, i) => (isMap(value) ? [{ value, at: `${at}/${i}` }] : []));
}

function inTemplate(fault: string | undefined, at: string): Found[] {
  return fault === undefined ? [] : [{ fault, at }];
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

export function namespaceInWords(namespace: unknown): string {
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

function expressionsOf(pod: Json, workload: Json) {
  const steps = ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
  const terms = valueBySteps(pod.affinity, steps);
  return placedIn(terms, `${podSpecPointer(workload)}/affinity/${steps.join('/')}`).flatMap((term) =>
    placedIn(term.value.matchExpressions, `${term.at}/matchExpressions`),
  );
}

export const WORKLOAD_RULES: readonly Rule[] = rulesOf({
  rows: WORKLOAD_ROWS,
  read: podSpecOf,
  finds: {
    'workload-selector-mismatch': (_, workload) => {
      const labels = podTemplateOf(workload)?.metadata?.labels ?? {};
      return Object.entries(mapOf(workload.spec?.selector?.matchLabels))
        .filter(([key, value]) => labels[key] !== value)
        .map(([key, value]) => ({ value: `${key}=${unquoted(value)}` }));
    },
    'container-port-invalid': (pod, workload) =>
      ['containers', 'initContainers'].flatMap((field) =>
        placedIn(pod[field], `${podSpecPointer(workload)}/${field}`).flatMap((container) =>
          placedIn(container.value.ports, `${container.at}/ports`).flatMap(({ value: { containerPort, name }, at }) => [
            ...inTemplate(
              isSet(containerPort) ? portFault(containerPort) : 'containerPort is missing',
              `${at}/containerPort`,
            ),
            ...inTemplate(isSet(name) ? portNameFault(String(name)) : undefined, `${at}/name`),
          ]),
        ),
      ),
    'toleration-invalid': (pod, workload) =>
      placedIn(pod.tolerations, `${podSpecPointer(workload)}/tolerations`).flatMap(({ value, at }) =>
        inTemplate(tolerationFault(value), at),
      ),
    'node-affinity-invalid': (pod, workload) =>
      expressionsOf(pod, workload).flatMap(({ value, at }) => inTemplate(expressionFault(value), at)),
    'pool-taint-not-tolerated': (pod, workload, { nodePools = [] }) => {
      const demanded = demandedPools(pod, nodePools).map((pool) => ({
        pool,
        taints: taintsAgainst(pod, pool).filter(({ key }) => !isToleratedByAdmission(pod, key)),
      }));
      if (demanded.length === 0 || pod.runtimeClassName || demanded.some(({ taints }) => taints.length === 0)) {
        return undefined;
      }
      const [{ pool, taints }] = demanded;
      const [key, value] = Object.entries(pool.labels)[0];
      const at = isSet(mapIn(pod, 'nodeSelector')[key])
        ? pointer(`${podSpecPointer(workload)}/nodeSelector`, key)
        : expressionsOf(pod, workload).find((one) => one.value.key === key)?.at;
      return { pool: pool.name, taint: taints[0], value, at: at ?? podSpecPointer(workload) };
    },
  },
});

export const TAINT_RULE = WORKLOAD_RULES[WORKLOAD_RULES.length - 1];

/** The workload beside a Service whose pods have the labels that it selects, with other values. */
function nearWorkload(keys: readonly string[], among: IndexedObject): Json | undefined {
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
  return near?.json;
}

export const ENDPOINT_RULES: readonly Rule[] = rulesOf({
  rows: ENDPOINT_ROWS,
  /** The workloads that a Service selects, as far as they are known. */
  read: (_, { workload, workloads = workload ? [workload] : [] }: RuleContext) => workloads,
  finds: {
    'workload-in-other-namespace': (_, { metadata }, { workload }) => {
      const pods = workload?.metadata?.namespace;
      return (
        workload &&
        metadata?.namespace !== pods && {
          own: namespaceInWords(metadata?.namespace),
          workload: titleOf(workload),
          its: namespaceInWords(pods),
          value: String(pods),
        }
      );
    },
    'selector-mismatch': (_, service, { workload }) =>
      workload &&
      labelsMissing(service, workload).map(([key, value]) => ({
        workload: titleOf(workload),
        value: `${key}=${value}`,
      })),
    'workload-without-replicas': (workloads, service, { among }) => {
      const reasons = workloads.map((one) => withoutPods(one, service));
      const isOpen = workloads.length === 0 || reasons.includes(undefined);
      return (
        !isOpen &&
        !(among && workloads.some((one) => isScaledByOthers(one, among))) && {
          reasons: reasons.join(', '),
          at: '/spec/selector',
        }
      );
    },
    'selector-without-workload': (_, service, { workloads, among }) => {
      const selector = isMap(service.spec?.selector) ? service.spec.selector : {};
      const keys = Object.keys(selector);
      const isOpen = !among || workloads === undefined || workloads.length > 0 || keys.length === 0;
      const near = isOpen ? undefined : nearWorkload(keys, among);
      if (!near) {
        return undefined;
      }
      const labels = podTemplateOf(near)?.metadata.labels;
      const [key] = keys.filter((one) => labels[one] !== selector[one]);
      const [value, label] = [unquoted(selector[key]), unquoted(labels[key])];
      return { key, value, label, workload: titleOf(near), at: pointer('/spec/selector', key) };
    },
    'target-port-unknown': (all, service, { among }) => {
      const declared = all.flatMap((one) => declaredPorts(one, among));
      const workloads = all.map(titleOf).join(', ');
      return all.length === 0
        ? undefined
        : portsOf(service).map((port, i) => {
            const { targetPort: value } = port;
            const found = new Set(declared.filter(({ name }) => name === value).map(protocolOf));
            return typeof value !== 'string' || found.has(protocolOf(port))
              ? undefined
              : {
                  ...(found.size > 0 && { case: 'otherProtocol' }),
                  port: unquoted(port.port),
                  protocol: unquoted(protocolOf(port)),
                  found: [...found].map(unquoted).join(', '),
                  workloads,
                  value,
                  at: `/spec/ports/${i}/targetPort`,
                };
          });
    },
    'target-port-undeclared': (_, service, { workload, among }) => {
      const declared = workload && wantsLoadBalancer(service) ? declaredPorts(workload, among) : [];
      const numbers = [...new Set(declared.map(({ containerPort }) => containerPort))].filter(Number.isInteger);
      return (
        workload &&
        numbers.length > 0 &&
        portsOf(service)
          .map(({ port, targetPort }, i) => ({
            port,
            target: targetPort ?? port,
            at: `/spec/ports/${i}/${targetPort === undefined ? 'port' : 'targetPort'}`,
          }))
          .filter(({ target }) => typeof target === 'number' && !numbers.includes(target))
          .map(({ port, target, at }) => ({
            port,
            at,
            workload: titleOf(workload),
            numbers: numbers.join(', '),
            value: String(target),
          }))
      );
    },
  },
});
