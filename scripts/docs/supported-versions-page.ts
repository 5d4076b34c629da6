import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../src/contract/compare-versions';
import { KubernetesVersion } from '../../src/contract/kubernetes-version';
import { MetalLbVersion } from '../../src/controllers/metal-lb/version';
import { AwsLoadBalancerControllerVersion } from '../../src/installations/aws-load-balancer-controller/version';
import { OPERATOR } from '../../src/kafka/strimzi/releases';
import { STRIMZI_RELEASES } from '../../src/kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../src/kafka/strimzi/strimzi-version';

import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { KUBERNETES } from '../../src/rules/kubernetes-upgrades.facts';
import { HELD_RELEASES } from '../strimzi/strimzi-crds';
import { ROOT } from './files';
import { code, page, source, table } from './markdown';

/** The newest release of each minor version of Strimzi, the oldest first. */
function minors(): [version: string, release: (typeof STRIMZI_RELEASES)[string]][] {
  const all = Object.entries(STRIMZI_RELEASES);
  const minorOf = (version: string) => version.split('.').slice(0, 2).join('.');
  return all.filter(([version], index) => minorOf(version) !== minorOf(all[index + 1]?.[0] ?? ''));
}

/** The versions that a class has as constants, the oldest first. */
function constantsOf(type: object): string[] {
  const versions = Object.values(type).flatMap((value) => (value instanceof (type as new () => object) ? [value] : []));
  return versions.map((version) => (version as unknown as { version: string }).version).sort(compareVersions);
}

/** The version below which a class takes none, found by asking it. */
function oldestOf(of: (version: string) => unknown, versions: readonly string[]): string | undefined {
  return versions.find((version) => {
    try {
      of(version);
      return true;
    } catch {
      return false;
    }
  });
}

/** The versions from which on a controller does something else, as its facts have them. */
function changesOf({ catalogue, upgrades = [] }: ControllerDefinition): string[] {
  const since = [
    ...catalogue.annotations.flatMap(({ fact }) => [fact.since, fact.deprecatedSince]),
    ...upgrades.filter(({ product }) => product === undefined).map((fact) => fact.since),
  ];
  const known = since.flatMap((version) => version?.match(/\d+(\.\d+)+/g) ?? []);
  return [...new Set(known)].sort(compareVersions);
}

/** Modules of Go that tests run or read definitions of, by what they are. */
const IN_TESTS: readonly [what: string, module: string, folder: string][] = [
  ['API server and service controller', 'k8s.io/kubernetes', 'cluster/control-plane'],
  ['service controller, the next version', 'k8s.io/cloud-provider', 'cluster/next-cloud'],
  ['definitions of the Gateway API', 'sigs.k8s.io/gateway-api', 'cluster/crds'],
  ['definitions of MetalLB', 'go.universe.tf/metallb', 'cluster/crds'],
  ['definitions of cert-manager', 'github.com/cert-manager/cert-manager', 'cluster/crds'],
  ['Envoy Gateway', 'github.com/envoyproxy/gateway', 'envoy/gateway'],
  ['Kyverno', 'github.com/kyverno/kyverno', 'kyverno/program'],
  ['CloudNativePG', 'github.com/cloudnative-pg/cloudnative-pg', 'cluster/operators'],
  ['Contour Gateway provisioner', 'github.com/projectcontour/contour', 'cluster/operators'],
  ['Elastic Cloud on Kubernetes', 'github.com/elastic/cloud-on-k8s/v3', 'cluster/operators'],
  ['writer of Helm', 'helm.sh/helm/v3', 'cluster/operators'],
  ["writer of Knative's operator", 'github.com/manifestival/manifestival', 'cluster/operators'],
  ['Percona Operator for MongoDB', 'github.com/percona/percona-server-mongodb-operator', 'cluster/operators'],
  ['Postgres Operator of Zalando', 'github.com/zalando/postgres-operator', 'cluster/operators'],
  ['Scylla Operator', 'github.com/scylladb/scylla-operator', 'cluster/operators'],
];

function inTests([what, module, folder]: (typeof IN_TESTS)[number]): string[] {
  const file = `test/${folder}/go.mod`;
  const line = new RegExp(`^(?:require|\\t)\\s*${module.replace(/\./g, '\\.')} (v\\S+)`, 'm');
  const [, version] = line.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  if (version === undefined) {
    throw new Error(`${file} does not require ${module}`);
  }
  return [what, code(`${module} ${version}`), code(file)];
}

/** The releases whose checkout a program read, and what it wrote of them: a file for each product. */
function readByProgram(): string[][] {
  const folder = join(ROOT, 'facts');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'cited.json')
    .sort()
    .map((file) => {
      const { repository, releases } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return [repository, releases.join(', '), `[${code(`facts/${file}`)}](../../facts/${file})`];
    });
}

/** Which versions of what runs in a cluster, and of what an app is built with, this version of the library is for. */
export function supportedVersionsPage(kinds: readonly ControllerDefinition[]): string {
  const kubernetes = constantsOf(KubernetesVersion);
  const strimzi = Object.keys(STRIMZI_RELEASES);
  const classes: Readonly<Record<string, { since?: string; type: string }>> = {
    'aws-load-balancer-controller': {
      since: oldestOf(AwsLoadBalancerControllerVersion.of, versionsFrom('3.0.0')),
      type: 'AwsLoadBalancerControllerVersion',
    },
    metallb: { since: oldestOf(MetalLbVersion.of, versionsFrom('0.10.0')), type: 'MetalLbVersion' },
  };
  const { supports, peerDependencies, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return page(
    '# Supported versions',
    'The versions that the facts of this library cover. [Versioning](../contributing/versioning.md#support) has the support periods.',
    '## Kubernetes and operators',
    table(
      ['product', 'since', 'until', 'a newer one', 'class of versions'],
      [
        [
          KUBERNETES,
          kubernetes[0],
          kubernetes[kubernetes.length - 1],
          'is taken for the newest that is known',
          code('KubernetesVersion'),
        ],
        [
          OPERATOR.name,
          strimzi[0],
          strimzi[strimzi.length - 1],
          `is taken for the newest that is known, with the warning ${code('strimzi-newer-than-facts')}`,
          code('StrimziVersion'),
        ],
      ],
    ),
    '## Releases of Strimzi',
    'The newest patch of each: strimzi/strimzi-kafka-operator, CHANGELOG.md and kafka-versions.yaml of its tag.',
    table(
      ['release', 'constant', 'versions of Kafka', 'Kubernetes from'],
      minors().map(([version, { kafka, kubernetes: oldest }]) => [
        version,
        code(constantNamed(StrimziVersion, version)),
        kafka.join(', '),
        oldest,
      ]),
    ),
    '## Controllers',
    'Since is the oldest version that the class of versions accepts; a dash means no such class, and Services for the newest version. Until is the newest version whose sources or docs were read. `check` and `diff` take older ones too, by the versions from which on the controller does something else; below the oldest version that was read, `diff` says `unknown` beside that.',
    table(
      ['controller', 'since', 'until', 'class of versions', 'does something else from', 'source'],
      kinds.map((kind) => [
        `[${kind.name}](controllers.md#${kind.name})`,
        classes[kind.name]?.since ?? '–',
        kind.facts.source.version,
        classes[kind.name] ? code(classes[kind.name].type) : '–',
        changesOf(kind).join(', ') || '–',
        source(kind.facts.source),
      ]),
    ),
    '## What a program reads',
    'Feature gates, flags, permissions, definitions and annotations of these releases are [read from their sources by a program](../contributing/refreshing-facts.md), with the release from which on, and until which, each holds. It reads again each week, and says which facts of ours a newer release changes.',
    table(['repository', 'releases', 'what was read'], readByProgram()),
    '## What tests run',
    'Real programs, and definitions of real releases, at these versions; HAProxy runs as the machine has it.',
    table(
      ['what', 'version', 'pinned in'],
      [
        ...IN_TESTS.map(inTests),
        ['definitions and model of Strimzi', HELD_RELEASES.join(', '), code('scripts/strimzi/strimzi-crds.ts')],
      ],
    ),
    '## What an app is built with',
    'Tests want the same manifests with the oldest version of each range and with the newest; of cdk8s-plus, with the oldest of the first line here and the newest of the last, and the lines between them are supported too.',
    table(
      ['package', 'range', 'needed'],
      Object.entries({ node: engines.node, ...supports }).map(([name, range]) => [
        code(name),
        String(range),
        name === 'node' || name in peerDependencies ? 'yes' : 'where an app uses it',
      ]),
    ),
  );
}

/** Every version from one on that could be the oldest of a class, in order. */
function versionsFrom(version: string): string[] {
  const [major, minor] = version.split('.').map(Number);
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  return numbers.flatMap((more) => numbers.map((patch) => `${major}.${minor + more}.${patch}`));
}

function constantNamed(type: object, version: string): string {
  const found = Object.entries(type).find(
    ([, value]) => (value as { version?: string } | undefined)?.version === version,
  );
  return found ? `${(type as { name: string }).name}.${found[0]}` : '–';
}
