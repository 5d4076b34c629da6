import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { NodePool, NodeTaint } from '../../../src';
import { reaches } from '../../../src/contract/compare-versions';
import type { Json } from '../../../src/contract/json';
import { AWS_LBC_SOURCE } from '../../../src/controllers/aws-load-balancer-controller/annotations';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import { flagsOf } from '../../../src/installations/aws-load-balancer-controller/controllers';
import { crdFacts } from '../../../src/installations/aws-load-balancer-controller/crds';
import {
  FEATURE_GATES,
  FEATURE_GATES_FILE,
  FLAGS,
  KNOWN_VERSION,
  RBAC_FILES,
  WEBHOOKS,
  WEBHOOKS_FILE,
} from '../../../src/installations/aws-load-balancer-controller/installation.facts';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { WebhookCertificate } from '../../../src/installations/certificates/webhook-certificate';
import { synth } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { AUTHORITY } from '../certificates';
import { installed } from './installations';

// What is emitted against what upstream's files say, and each against the file that the tables of src name.
interface Upstream {
  readonly repository: string;
  readonly tag: string;
  readonly rbac: Record<string, string[]>;
  readonly flags: Record<string, string[]>;
  readonly gates: Record<string, string[]>;
  /** What older versions that can be installed have not got; all else of theirs is the same. */
  readonly missing: Record<string, { readonly flags: string[]; readonly gates: string[] }>;
  readonly webhooks: Record<string, string[]>;
  readonly crds: Record<string, { readonly names: string; readonly versions: Record<string, string[]> }>;
}

const upstream: Upstream = parse(readFileSync(join(__dirname, 'upstream.yaml'), 'utf8'));

const everything = synth(
  installed({
    serviceMutatorWebhook: true,
    gatewayApiCrds: '1.6.0',
    featureGates: {
      NLBGatewayAPI: true,
      ALBGatewayAPI: true,
      GlobalAcceleratorController: true,
      ALBTargetControlAgent: true,
    },
  }).chart,
);

const ofKind = (kind: string): Json[] => everything.filter((object) => object.kind === kind);

function rights(role: Json): string[] {
  return (role.rules as Json[])
    .flatMap(({ apiGroups, resources, resourceNames = [''], verbs }) =>
      apiGroups.flatMap((group: string) =>
        resources.flatMap((resource: string) =>
          resourceNames.flatMap((name: string) =>
            verbs.map((verb: string) => `${group && `${group}/`}${resource}${name && ` ${name}`}: ${verb}`),
          ),
        ),
      ),
    )
    .sort();
}

const STRUCTURE = ['properties', 'items', 'additionalProperties', 'required'];

function fieldsIn(schema: Json, path = '', required = false): string[] {
  const constraints = Object.keys(schema)
    .filter((key) => !STRUCTURE.includes(key))
    .sort()
    .map((key) => {
      const value = key === 'x-kubernetes-validations' ? schema[key].map(({ rule }: Json) => rule) : schema[key];
      return `${key}=${JSON.stringify(value)}`;
    });
  const inner = Object.entries((schema.properties ?? {}) as Json)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, field]) =>
      fieldsIn(field, path ? `${path}.${name}` : name, (schema.required ?? []).includes(name)),
    );
  return [
    `${path}${required ? '!' : ''} ${constraints.join(' ')}`.trim(),
    ...inner,
    ...(schema.items ? fieldsIn(schema.items, `${path}[]`) : []),
    ...(schema.additionalProperties ? fieldsIn(schema.additionalProperties, `${path}{}`) : []),
  ];
}

function versionLines({
  served,
  storage,
  subresources,
  deprecated = false,
  additionalPrinterColumns,
  schema,
}: Json): string[] {
  return [
    `served=${served} storage=${storage} status=${'status' in subresources} deprecated=${deprecated}`,
    ...additionalPrinterColumns.map(({ name, type, jsonPath, priority }: Json) =>
      ['column', name, type, jsonPath, ...(priority === undefined ? [] : [priority])].join(' '),
    ),
    ...fieldsIn(schema.openAPIV3Schema),
  ];
}

test('the tables are of the version that is installed', () => {
  expect(upstream.tag).toBe(`v${KNOWN_VERSION}`);
  expect({ repository: upstream.repository, version: upstream.tag }).toEqual({
    repository: AWS_LBC_SOURCE.repository,
    version: AWS_LBC_SOURCE.version,
  });
});

test.each([
  ['ClusterRole', RBAC_FILES.clusterRole],
  ['Role', RBAC_FILES.leaderElectionRole],
])('%s: every verb of %s, and no other', (kind, file) => {
  expect(rights(ofKind(kind)[0])).toEqual(upstream.rbac[file]);
});

test.each(Object.entries(upstream.flags))('the flags of %s, and no others', (file, flags) => {
  expect(
    FLAGS.filter((fact) => fact.file === file)
      .map(({ flag }) => flag)
      .sort(),
  ).toEqual(flags);
});

test('every flag is of a file of upstream, and every emitted one is among them', () => {
  const known = Object.values(upstream.flags).flat();
  expect(FLAGS.map(({ flag }) => flag).sort()).toEqual([...known].sort());
  expect(Object.keys(flagsOf(ofKind('Deployment')[0])).filter((flag) => !known.includes(flag))).toEqual([]);
});

test('every feature gate with its default, and no other', () => {
  const gates = FEATURE_GATES.map(({ gate, byDefault }) => `${gate}=${byDefault}`).sort();
  expect(gates).toEqual(upstream.gates[FEATURE_GATES_FILE]);
});

test.each(Object.entries(upstream.missing))(
  '%s lacks the flags and gates that came later, and no others',
  (tag, missing) => {
    const later = ({ since }: { since?: string }) => since !== undefined && !reaches({ version: tag.slice(1) }, since);
    expect({
      flags: FLAGS.filter(later).map(({ flag }) => flag),
      gates: FEATURE_GATES.filter(later).map(({ gate }) => gate),
    }).toEqual(missing);
  },
);

test('every webhook as upstream has it, but for those that fail more gently', () => {
  const emitted = ['mutating', 'validating'].flatMap((type) => {
    const [configuration] = ofKind(`${type[0].toUpperCase()}${type.slice(1)}WebhookConfiguration`);
    return (configuration.webhooks as Json[]).map(({ name, clientConfig, rules: [rule], failurePolicy }) => {
      const fact = WEBHOOKS.find((webhook) => webhook.name === name);
      return [
        type,
        name,
        clientConfig.service.path,
        [...rule.apiGroups.filter(Boolean), ...rule.apiVersions].join('/'),
        ...rule.resources,
        rule.operations.join(','),
        fact?.upstreamFailurePolicy ?? failurePolicy,
      ].join(' ');
    });
  });
  expect(emitted.sort()).toEqual(upstream.webhooks[WEBHOOKS_FILE]);
});

describe.each(Object.entries(upstream.crds))('%s', (file, { names, versions }) => {
  const fact = crdFacts(
    new Set(['core', 'ingress', 'gateway', 'global-accelerator', 'alb-target-control'] as const),
  ).find((row) => row.file === file);
  const crd = ofKind('CustomResourceDefinition').find(
    ({ metadata }) => metadata.name === `${fact?.plural}.${fact?.group}`,
  );

  test('is emitted with its names', () => {
    const { group, scope, names: its } = crd?.spec ?? {};
    expect(`${group} ${its?.kind} ${its?.listKind} ${its?.plural} ${its?.singular} ${scope}`).toBe(names);
    expect(((crd?.spec.versions ?? []) as Json[]).map(({ name }) => name).sort()).toEqual(Object.keys(versions).sort());
  });

  test.each(Object.entries(versions))(
    'has in %s every field with its constraints, and no other',
    (name, [first, ...lines]) => {
      const version = ((crd?.spec.versions ?? []) as Json[]).find((one) => one.name === name) ?? {};
      const expected = lines[0] === 'otherwise as v1' ? versions.v1.slice(1) : lines;
      expect(versionLines(version)).toEqual([first, ...expected]);
    },
  );
});

test('there are as many kinds as upstream has', () => {
  expect(ofKind('CustomResourceDefinition')).toHaveLength(Object.keys(upstream.crds).length);
});

test('the kinds of objects that an installation is made of', () => {
  expect([...new Set(everything.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))]).toEqual([
    'apiextensions.k8s.io/v1 CustomResourceDefinition',
    'v1 ServiceAccount',
    'rbac.authorization.k8s.io/v1 Role',
    'rbac.authorization.k8s.io/v1 RoleBinding',
    'rbac.authorization.k8s.io/v1 ClusterRole',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding',
    'cert-manager.io/v1 Issuer',
    'cert-manager.io/v1 Certificate',
    'apps/v1 Deployment',
    'policy/v1 PodDisruptionBudget',
    'v1 Service',
    'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration',
    'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
    'networking.k8s.io/v1 IngressClass',
  ]);
});

const GOLDENS: Record<string, Partial<AwsLoadBalancerControllerInstallationProps>> = {
  'aws-load-balancer-controller': {},
  'aws-load-balancer-controller-for-nlbs': {
    crds: false,
    nlbOnly: true,
    region: 'us-gov-west-1',
    identity: AwsIdentity.irsa('arn:aws-us-gov:iam::123456789012:role/balancers'),
    certificate: WebhookCertificate.fromSecret({ name: 'webhook-tls', caBundle: AUTHORITY }),
    serviceMutatorWebhook: true,
    loadBalancerClass: 'example.com/nlb',
    nodePool: NodePool.labeled({ pool: 'system' }, { taints: [NodeTaint.noSchedule('dedicated', 'system')] }),
    flags: { 'default-tags': 'cost=42,team=platform' },
    gatewayApiCrds: '1.6.0',
    featureGates: { NLBGatewayAPI: true },
  },
};

test.each(Object.entries(GOLDENS))('golden: %s', (name, props) => {
  const { yaml, said } = writtenBy(() => installed(props).chart);
  expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
  expect(said).toBe('');
});
