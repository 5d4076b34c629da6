import { compareVersions } from '../../../src/contract/compare-versions';
import type { UpgradeFact } from '../../../src/contract/edit';
import { AWS_PREFIX } from '../../../src/controllers/aws/facts';
import {
  AWS_LBC_CATALOGUE,
  AWS_LBC_CONTROLLER,
  AWS_LBC_SOURCE,
} from '../../../src/controllers/aws-load-balancer-controller/annotations';
import { DEFINITIONS_OF } from '../../../src/controllers/aws-load-balancer-controller/kinds.facts';
import { AWS_LBC_UPGRADES } from '../../../src/controllers/aws-load-balancer-controller/upgrades.facts';
import { CALLS } from '../../../src/identity/aws/aws-load-balancer-controller.facts';
import { actionsOf } from '../../../src/identity/aws/permissions';
import { crdManifest } from '../../../src/installations/aws-load-balancer-controller/crds';
import { CRDS } from '../../../src/installations/aws-load-balancer-controller/crds.facts';
import {
  CLUSTER_RULES,
  FEATURE_GATES,
  FLAGS,
  GATEWAY_API_NEEDS,
  KNOWN_VERSION,
  LEADER_ELECTION_RULES,
  WEBHOOKS,
} from '../../../src/installations/aws-load-balancer-controller/installation.facts';
import { AwsLoadBalancerControllerVersion } from '../../../src/installations/aws-load-balancer-controller/version';
import type { RbacFact } from '../../../src/installations/tables';
import { FINALIZER_KINDS } from '../../../src/rules/rules.facts';
import type { Checkout } from '../checkout';
import { byKey, type Fact, type KnownFact } from '../fact';
import { constantFacts, flagFacts, gateFacts, moduleFacts, watchedFacts } from '../read/go-facts';
import { GoSource } from '../read/go-source';
import { actionFacts, definitionFacts, rbacFacts, readAll, ruleFacts, webhookFacts } from '../read/manifests';
import type { Product, Table } from './product';
import { catalogueTable, has, versionedTable } from './tables';

const INSTALLATION = 'src/installations/aws-load-balancer-controller';
const CHART = 'helm/aws-load-balancer-controller/Chart.yaml';
const INGRESS_PREFIX = 'alb.ingress.kubernetes.io/';
const SERVICE_PREFIX = 'service.beta.kubernetes.io/';
const GATEWAY_API = 'sigs.k8s.io/gateway-api';

async function read(checkout: Checkout, version: string): Promise<readonly Fact[]> {
  const go = checkout.below('pkg', /\.go$/);
  const flags = await GoSource.read(
    checkout,
    go.filter((file) => file.startsWith('pkg/shared_constants/') || checkout.text(file).includes('spf13/pflag')),
  );
  const gates = await GoSource.read(checkout, ['pkg/config/feature_gates.go']);
  const annotations = await GoSource.read(checkout, ['pkg/annotations/constants.go']);
  const finalizers = await GoSource.read(checkout, ['pkg/shared_constants/finalizers.go']);
  const watched = await GoSource.read(checkout, ['pkg/gateway/crddetect/gateway_feature_flags.go']);
  const definitions = checkout.below('config/crd', /\/(elbv2|gateway|aga)\.k8s\.aws_\w+\.yaml$/);
  return [
    ...gateFacts(gates, /^map\[Feature\]/),
    ...flagFacts(flags),
    ...constantFacts(annotations, 'annotation', /^SvcLBSuffix/, (value) => SERVICE_PREFIX + value),
    ...constantFacts(annotations, 'annotation', /^IngressSuffix/, (value) => INGRESS_PREFIX + value),
    ...constantFacts(finalizers, 'finalizer', /Finalizer/),
    ...watchedFacts(watched, /Kinds$/),
    ...readAll(checkout, ['config/rbac/role.yaml', 'config/rbac/leader_election_role.yaml'], rbacFacts),
    ...readAll(checkout, ['config/webhook/manifests.yaml'], webhookFacts),
    ...readAll(checkout, definitions, definitionFacts),
    ...POLICIES.map((file) => `docs/install/${file}.json`).flatMap((file) => actionFacts(checkout.json(file), file)),
    ...moduleFacts(checkout, 'go.mod', [GATEWAY_API]),
    { kind: 'runs', name: 'release', value: version, file: CHART },
  ];
}

/** The policies, by file; the others are the first one in other partitions. */
const POLICIES = ['iam_policy', 'iam_policy_acm_certs', 'aga_controller_iam_policy', 'iam_policy_v1_to_v2_additional'];

const actionIn = (name: string): string => name.slice(name.indexOf(': ') + 2);

const rules = (role: string, facts: readonly RbacFact[]) =>
  ruleFacts(role, facts as unknown as Record<string, unknown>[], '').map(({ kind, name, value }) => ({
    kind,
    name,
    value,
  }));

/** Gates by which the program looks for kinds. */
const WATCHING: Readonly<Record<string, string>> = {
  ALBGatewayAPI: 'albKinds',
  NLBGatewayAPI: 'nlbKinds',
  GatewayListenerSet: 'listenerSetKinds',
};

function watchedKinds(version: string) {
  const need = GATEWAY_API_NEEDS.find(({ of }) => compareVersions(version, of) >= 0);
  return Object.entries(need?.kinds ?? {}).flatMap(([gate, kinds]) => {
    const versions = [...new Set(Object.values(kinds))];
    return versions.map((api) => ({
      kind: 'runs' as const,
      name: `${WATCHING[gate]} gateway.networking.k8s.io/${api}`,
      value: Object.keys(kinds)
        .filter((plural) => kinds[plural] === api)
        .sort()
        .join(' '),
    }));
  });
}

/** What is needed of a module is a minor version. */
const minor = ({ value = '' }: { readonly value?: string }): string =>
  value.replace(/^v/, '').split('.').slice(0, 2).join('.');

/** The release of the Gateway API that a fact about upgrades is about. */
function builtFor({ up }: UpgradeFact): KnownFact[] {
  const value = /kinds of a Gateway API before (\d+\.\d+)/.exec(up?.what ?? '')?.[1];
  return value === undefined ? [] : [{ kind: 'dependency', name: GATEWAY_API, value }];
}

const definitions = () => CRDS.flatMap((fact) => definitionFacts([crdManifest(fact)], fact.file));

/** The newest version that has a constant. */
function newestConstant(): string {
  const versions = Object.values(AwsLoadBalancerControllerVersion as unknown as Record<string, unknown>)
    .filter((each) => each instanceof AwsLoadBalancerControllerVersion)
    .map(({ version }) => version);
  return versions.sort(compareVersions)[versions.length - 1];
}

const TABLES: readonly Table[] = [
  versionedTable({
    kind: 'flag',
    place: `${INSTALLATION}/flags.facts.ts`,
    rows: FLAGS,
    known: ({ flag }) => ({ name: flag }),
    entry: ({ name, file }, version) => `{ flag: '${name}', file: '${file}', since: '${version}' }`,
  }),
  versionedTable({
    kind: 'gate',
    place: `${INSTALLATION}/flags.facts.ts`,
    rows: FEATURE_GATES,
    known: ({ gate, byDefault }) => ({ name: gate, value: String(byDefault) }),
    entry: ({ name, value }, version) =>
      `{ gate: '${name}', member: '${name[0].toLowerCase()}${name.slice(1)}', byDefault: ${value}, since: '${version}' }`,
  }),
  catalogueTable('src/controllers/aws-load-balancer-controller/annotations.ts', AWS_LBC_CATALOGUE, [AWS_PREFIX]),
  {
    kind: 'finalizer',
    place: 'src/rules/rules.facts.ts',
    rows: () => FINALIZER_KINDS.filter(([name]) => /\.aws\//.test(name)).map(([name]) => ({ kind: 'finalizer', name })),
    nameOf: ({ name }) => name,
    entry: ({ name }) => `['${name}', its kind]`,
  },
  {
    kind: 'rbac',
    place: `${INSTALLATION}/rbac.facts.ts`,
    rows: () => [
      ...rules('controller-role', CLUSTER_RULES),
      ...rules('controller-leader-election-role', LEADER_ELECTION_RULES),
    ],
    nameOf: ({ name }) => name,
  },
  {
    kind: 'webhook',
    place: `${INSTALLATION}/webhooks.facts.ts`,
    rows: () =>
      WEBHOOKS.map(({ name, group, version, resource, operations, path, upstreamFailurePolicy, failurePolicy }) => {
        const asked = [group || 'core', version, resource, [...operations].sort().join(' ')].join('/');
        return { kind: 'webhook', name, value: `${asked} ${path} ${upstreamFailurePolicy ?? failurePolicy}` };
      }),
    nameOf: ({ name }) => name,
  },
  ...(['definition', 'field'] as const).map(
    (kind): Table => ({
      kind,
      place: `${INSTALLATION}/crds.facts.ts`,
      rows: () => definitions().filter((fact) => fact.kind === kind),
      nameOf: ({ name }) => name,
    }),
  ),
  {
    kind: 'action',
    place: 'src/identity/aws/aws-load-balancer-controller.facts.yaml',
    rows: () => [...byKey(CALLS.flatMap(actionsOf).map((name) => ({ kind: 'action' as const, name }))).values()],
    nameOf: ({ name }) => actionIn(name),
    entry: ({ name, file }) => `calls(its statement, its purpose, '${file}', ${quoted(actionIn(name))})`,
  },
  {
    kind: 'runs',
    place: `${INSTALLATION}/facts.ts`,
    rows: watchedKinds,
    nameOf: ({ name }) => (name.includes(' gateway.networking.k8s.io/') ? name : undefined),
  },
  ...[
    { place: `${INSTALLATION}/facts.ts`, known: KNOWN_VERSION },
    { place: `${INSTALLATION}/version.ts`, known: newestConstant() },
    { place: 'src/controllers/aws-load-balancer-controller/kinds.facts.ts', known: DEFINITIONS_OF },
  ].map(
    ({ place, known }): Table => ({
      kind: 'runs',
      place,
      rows: (version) => [
        { kind: 'runs', name: 'release', value: compareVersions(version, known) < 0 ? version : known },
      ],
      nameOf: ({ name }) => (name === 'release' ? name : undefined),
    }),
  ),
  {
    kind: 'dependency',
    place: 'src/controllers/aws-load-balancer-controller/upgrades.facts.ts',
    rows: (version) =>
      AWS_LBC_UPGRADES.filter((fact) => has(version, fact))
        .flatMap(builtFor)
        .reverse(),
    nameOf: ({ name }) => name,
    written: minor,
    entry: (fact, version) => `builtFor('${version}', '${minor(fact)}.0', '${fact.file}')`,
  },
  {
    kind: 'dependency',
    place: `${INSTALLATION}/facts.ts`,
    rows: (version) =>
      GATEWAY_API_NEEDS.filter(({ of }) => compareVersions(version, of) >= 0)
        .slice(0, 1)
        .map(({ since }) => ({ kind: 'dependency', name: GATEWAY_API, value: since.split('.').slice(0, 2).join('.') })),
    nameOf: ({ name }) => name,
    written: minor,
  },
];

const quoted = (action: string): string =>
  action
    .split(':')
    .map((part) => `'${part}'`)
    .join(', ');

export const AWS_LOAD_BALANCER_CONTROLLER: Product = {
  name: AWS_LBC_CONTROLLER,
  repository: AWS_LBC_SOURCE.repository,
  tagOf: (version) => `v${version}`,
  versionOf: (checkout) => checkout.found(CHART, /^appVersion: v?(\d+\.\d+\.\d+)$/m),
  read,
  tables: TABLES,
};
