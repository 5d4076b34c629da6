import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { Json } from '../../contract/json';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import type { Finding, Findings } from '../../contract/rule';
import { kubernetesTooOld, newerThanFacts, vulnerable } from '../../kafka/strimzi/releases';
import {
  NAMESPACES,
  STRIMZI_KUBERNETES,
  STRIMZI_NEWER_THAN_FACTS,
  STRIMZI_RELEASES,
  STRIMZI_VULNERABLE,
} from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { Rule } from '../../rules/rule';
import { isIn, releaseFileOf } from './crd-faults';
import { FEATURE_GATES_VARIABLE, VARIABLES } from './installation.facts';
import { type InstalledOperator, upstream, variablesOf } from './installation-rule';
import { gateFaults, type OperatorSettings } from './operator';

const DEPLOYMENT = upstream('packaging/install/cluster-operator/060-Deployment-strimzi-cluster-operator.yaml');
const CONFIG = upstream('cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java');
const GATES = upstream('operator-common/src/main/java/io/strimzi/operator/common/featuregates/FeatureGates.java');

const NONE: Finding[] = [];

function ofSettings(judge: (settings: OperatorSettings) => Findings): Rule<InstalledOperator>['judge'] {
  return (_, { settings }) => settings && judge(settings);
}

function ofVersion(judge: (version: StrimziVersion, deployment: Json) => Findings): Rule<InstalledOperator>['judge'] {
  return (deployment, { version }) => version && judge(version, deployment);
}

export const OPERATOR_RULES: readonly Rule<InstalledOperator>[] = [
  {
    id: 'strimzi-namespace',
    severity: 'error',
    says: 'operator without a valid namespace',
    source: upstream('packaging/install/cluster-operator/020-RoleBinding-strimzi-cluster-operator.yaml'),
    needs: ['settings'],
    judge: ofSettings(({ namespace }) => {
      if (namespace === undefined) {
        const what = 'the operator has no namespace, so nothing can be bound to its ServiceAccount';
        return [{ what, remedy: 'give the chart a namespace, or set namespace' }];
      }
      return fault(dnsLabelFault(namespace), 'namespace', namespace);
    }),
  },
  {
    id: 'strimzi-watch',
    severity: 'error',
    says: 'watched namespaces that are missing, not valid or named twice',
    source: CONFIG,
    needs: ['settings'],
    judge: ofSettings((settings) => watchFaults(settings)),
  },
  {
    id: 'strimzi-version-unknown',
    severity: 'error',
    says: 'release whose images are unknown: an operator with other versions of Kafka than its own does not start',
    source: DEPLOYMENT,
    needs: ['settings'],
    judge: ofSettings(({ version, props }) => {
      const needed = VARIABLES.filter((row) => row.ofRelease && isIn(version, row)).map(({ name }) => name);
      const lacking = needed.filter((name) => props.extraEnv?.[name] === undefined);
      return version.version in STRIMZI_RELEASES || lacking.length === 0
        ? NONE
        : [
            {
              what: `the versions of Kafka that Strimzi ${version.version} runs are unknown here, and an operator that is not configured with exactly these does not start`,
              remedy: `take one of ${Object.keys(STRIMZI_RELEASES).join(', ')}, or set ${lacking.join(', ')} in extraEnv, as the release has them`,
              value: version.version,
            },
          ];
    }),
  },
  { ...STRIMZI_VULNERABLE, needs: ['version'], judge: ofVersion((version) => vulnerable(version)) },
  { ...STRIMZI_NEWER_THAN_FACTS, needs: ['version'], judge: ofVersion((version) => newerThanFacts(version)) },
  {
    id: 'strimzi-feature-gate',
    severity: 'error',
    says: 'feature gate that the operator does not know: it does not start',
    source: GATES,
    needs: ['version'],
    judge: ofVersion((version, deployment) =>
      gateFaults(variablesOf(deployment).get(FEATURE_GATES_VARIABLE) ?? '', version),
    ),
  },
  {
    ...STRIMZI_KUBERNETES,
    needs: ['settings'],
    judge: ofSettings(({ version, props }) => kubernetesTooOld(version, props.kubernetes ?? DEFAULT_KUBERNETES)),
  },
  {
    id: 'strimzi-variable',
    severity: 'error',
    says: 'variable of extraEnv that has a prop',
    source: CONFIG,
    needs: ['settings'],
    judge: ofSettings(({ props }) => [
      ...Object.keys(props.extraEnv ?? {}).flatMap((name) => {
        const prop = VARIABLES.find((row) => row.name === name)?.prop;
        return prop === undefined
          ? NONE
          : [{ what: `extraEnv sets ${name}`, remedy: `use ${prop}`, value: props.extraEnv?.[name] }];
      }),
    ]),
  },
  {
    id: 'strimzi-crds-version',
    severity: 'error',
    says: 'definitions of another release',
    source: upstream('packaging/install/cluster-operator/040-Crd-kafka.yaml'),
    needs: ['version'],
    judge: (_, { version, definitions }) =>
      !version || !definitions || definitions.faults.length === 0
        ? NONE
        : [
            {
              what: `${definitions.origin} does not hold the definitions of Strimzi ${version.version}: ${definitions.faults.join('; ')}`,
              remedy: `use ${releaseFileOf(version)}`,
              value: definitions.origin,
            },
          ],
  },
  {
    id: 'strimzi-crds-missing',
    severity: 'warning',
    says: 'installation without the definitions, without which the operator does not start',
    source: upstream('packaging/install/cluster-operator/040-Crd-kafka.yaml'),
    needs: ['version', 'wantsDefinitions'],
    judge: (_, { version, definitions, wantsDefinitions }) =>
      !version || definitions || !wantsDefinitions
        ? NONE
        : [
            {
              what: `the definitions of Strimzi ${version.version} are not among these manifests, and without them the operator does not start`,
              remedy: `fetch ${releaseFileOf(version)}; apply it first with kubectl apply --server-side, or pass crds: StrimziCrds.fromFile(…)`,
            },
          ],
  },
  {
    id: 'strimzi-cluster-scoped-missing',
    severity: 'warning',
    says: 'installation without ClusterRoleBindings, which an administrator must make',
    source: upstream('packaging/install/cluster-operator/021-ClusterRoleBinding-strimzi-cluster-operator.yaml'),
    needs: ['settings'],
    judge: ofSettings(({ createsClusterScoped, name, namespace, watch }) =>
      createsClusterScoped
        ? NONE
        : [
            {
              what: watch.isAll
                ? `no ClusterRoleBinding is made for ServiceAccount ${name} of ${namespace}, and an operator that watches all namespaces can do nothing without`
                : `no ClusterRoleBinding is made for ServiceAccount ${name} of ${namespace}: racks by node label, listeners of type nodeport and larger volumes do not work without`,
              remedy: 'have an administrator bind it, and acknowledge this',
            },
          ],
    ),
  },
];

function fault(text: string | undefined, prop: string, value: string): Finding[] {
  return text === undefined ? NONE : [{ what: `${prop} ${text}`, remedy: 'give another one', value }];
}

function watchFaults({ props, watch }: OperatorSettings): Finding[] {
  if (props.watchNamespaces && props.watch) {
    return [{ what: 'watchNamespaces and watch are both set', remedy: 'set one of them' }];
  }
  if (watch.isOwn || watch.isAll) {
    return NONE;
  }
  const listed = watch.listedNamespaces;
  if (listed.length === 0) {
    const remedy = 'name some, or leave it out for its own namespace';
    return [{ what: 'the list of namespaces to watch is empty', remedy }];
  }
  if (listed.includes(NAMESPACES.all)) {
    const remedy = 'use StrimziWatch.allNamespaces()';
    return [{ what: `'${NAMESPACES.all}' is in a list of namespaces`, remedy, value: NAMESPACES.all }];
  }
  const twice = listed.filter((namespace, index) => listed.indexOf(namespace) !== index);
  return [
    ...listed.flatMap((namespace) => fault(dnsLabelFault(namespace), 'a namespace to watch,', namespace)),
    ...twice.map((namespace) => ({
      what: `namespace ${namespace} is twice in the list to watch`,
      remedy: 'name it once',
      value: namespace,
    })),
  ];
}
