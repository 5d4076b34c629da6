import { grouped, isMap, type Json, unquoted } from '../contract/json';
import { POD_NAME_LABEL } from '../contract/kubernetes.facts';
import { podTemplateOf } from '../contract/placed-pod';
import type { IndexedObject } from './objects';
import type { Rule } from './rule';
import { ORDINAL } from './selected-workloads';

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
