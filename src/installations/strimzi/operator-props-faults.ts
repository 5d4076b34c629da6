import { KubernetesVersion } from '../../contract/kubernetes-version';
import { PodSpread } from '../../contract/pod-spread';
import { isMap } from '../../rules/service-json';
import {
  ANYTHING,
  having,
  listOf,
  mapOf,
  ofType,
  type PropKind,
  type PropKinds,
  SWITCH,
  TEXT,
  wordOf,
} from '../prop-kinds';
import type { StrimziClusterOperatorInstallationProps } from './strimzi-cluster-operator-installation.options';
import { StrimziLogLevel } from './strimzi-log-level';

// Callers from JavaScript may pass anything: what no installation can be made of is told before it ends in words of the runtime.

const TEXTS = listOf('a list of texts', TEXT);
const TEXT_BY_NAME = mapOf('a map of texts', TEXT);
const DURATION = having('a Duration', 'toMilliseconds');

/** Of every prop. */
const PROPS: PropKinds<StrimziClusterOperatorInstallationProps> = {
  version: having('a StrimziVersion', 'servesApiVersion'),
  watchNamespaces: TEXTS,
  watch: having('a StrimziWatch', 'isAll', 'boolean'),
  namespace: TEXT,
  name: TEXT,
  labels: TEXT_BY_NAME,
  replicas: ofType('a number', 'number'),
  leaderElection: SWITCH,
  podDisruptionBudget: SWITCH,
  imageRegistry: TEXT,
  imageRepository: TEXT,
  imagePullSecrets: TEXTS,
  operationTimeout: DURATION,
  fullReconciliationInterval: DURATION,
  featureGates: mapOf('a map', ANYTHING),
  networkPolicyGeneration: SWITCH,
  podDisruptionBudgetGeneration: SWITCH,
  entityOperatorWatchedNamespace: SWITCH,
  podSecurityProvider: having('a StrimziPodSecurityProvider', 'provider', 'string'),
  labelsExclusionPattern: TEXT,
  resources: mapOf('a map', ANYTHING),
  logLevel: wordOf('a StrimziLogLevel', StrimziLogLevel),
  nodePool: having('a NodePool', 'pin'),
  spread: wordOf('a PodSpread', PodSpread),
  extraEnv: TEXT_BY_NAME,
  crds: having('a StrimziCrds', '_readFor'),
  createClusterScoped: SWITCH,
  kubernetes: { name: 'a KubernetesVersion', is: (value) => value instanceof KubernetesVersion },
};

const RESOURCES: PropKinds<Required<StrimziClusterOperatorInstallationProps>['resources']> = {
  cpuRequest: TEXT,
  cpuLimit: TEXT,
  memory: having('a Size', 'asString'),
};

const GATES: PropKinds<Required<StrimziClusterOperatorInstallationProps>['featureGates']> = {
  continueReconciliationOnManualRollingUpdateFailure: SWITCH,
  serverSideApplyPhase1: SWITCH,
  useConnectBuildWithBuildah: SWITCH,
  useBackgroundPodDeletion: SWITCH,
  others: mapOf('a map of true or false', SWITCH),
};

/** Throws where a prop is no value of its kind. */
export function checkProps(path: string, props: StrimziClusterOperatorInstallationProps): void {
  if (!isMap(props) || props.version === undefined) {
    throw new Error(`[${path}] strimzi: nobody says which release to install; pass version, a StrimziVersion`);
  }
  const stranger = Object.keys(props.featureGates ?? {}).find((gate) => !(gate in GATES));
  if (stranger !== undefined) {
    throw new Error(
      `[${path}] strimzi: featureGates.${stranger} is no gate; write ${Object.keys(GATES).join(', ')}, or put it into others by its name`,
    );
  }
  for (const [start, kinds, given] of [
    ['', PROPS, props],
    ['resources.', RESOURCES, props.resources],
    ['featureGates.', GATES, props.featureGates],
  ] as const) {
    check(`[${path}] strimzi: ${start}`, kinds, given);
  }
}

function check(start: string, kinds: Readonly<Record<string, PropKind>>, given: object | undefined): void {
  for (const [prop, value] of Object.entries(given ?? {})) {
    const kind = kinds[prop];
    if (kind && value !== undefined && !kind.is(value)) {
      throw new Error(
        `${start}${prop} is ${shown(value)}, which is not ${kind.name}; pass ${kind.name}, or leave it out`,
      );
    }
  }
}

/** Constructs point at each other in circles: they are shown as what they are made of. */
function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value}'`;
  }
  return isMap(value) && value.constructor !== Object
    ? `a ${value.constructor?.name}`
    : (JSON.stringify(value) ?? `a ${typeof value}`);
}
