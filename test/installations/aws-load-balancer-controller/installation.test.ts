import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { parse } from 'yaml';
import {
  AwsClusterIsolation,
  AwsLoadBalancerController,
  AwsLoadBalancerControllerFeature,
  type AwsLoadBalancerControllerNlbOptions,
  LoadBalancedService,
  LoadBalancers,
  NlbTargetType,
  NodePool,
  NodeTaint,
  PodSpread,
} from '../../../src';
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
import { AwsLoadBalancerControllerVersion } from '../../../src/installations/aws-load-balancer-controller/version';
import { WebhookCertificate } from '../../../src/installations/certificates/webhook-certificate';
import { errorsOf, stderrOf, synth, written } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { casesIn, revived } from '../../support/yaml-cases';
import { AUTHORITY } from '../certificates';
import { installed } from './installations';

const CASES = casesIn(__dirname, 'installation.yaml');

type Props = Partial<AwsLoadBalancerControllerInstallationProps>;

const ECHO = { selector: { app: 'echo' }, ports: [{ port: 443 }] };

function rawService(chart: Chart, spec: object, namespace?: string): ApiObject {
  return new ApiObject(chart, 'Raw', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'raw', namespace },
    spec,
  } as ConstructorParameters<typeof ApiObject>[2]);
}

function argsOf(props: Props): string[] {
  return written(installed(props).chart, 'Deployment').spec.template.spec.containers[0].args;
}

function kindsOf(props: Props): string[] {
  return synth(installed(props).chart)
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ spec }) => spec.names.kind);
}

function groupsOf(props: Props): string[] {
  const { rules } = written(installed(props).chart, 'ClusterRole');
  return [...new Set<string>((rules as Json[]).flatMap(({ apiGroups }) => apiGroups))].sort();
}

test('writes the same every time', () => expect(synth(installed().chart)).toEqual(synth(installed().chart)));

test.each<[string, Props, string[]]>(CASES.controllerTold)('the controller is told %s', (_, props, expected) => {
  expect(argsOf(props)).toEqual(expect.arrayContaining(expected));
});

test.each<[string, Props, string[]]>(CASES.kindsWritten)('kinds that are written %s', (_, props, expected) => {
  expect(kindsOf(props)).toEqual(expected);
});

test('it may touch the objects of gates that are on, and no others', () => {
  const usual = ['', 'discovery.k8s.io', 'elbv2.k8s.aws', 'extensions', 'networking.k8s.io'];
  expect(groupsOf({})).toEqual(usual);
  expect(groupsOf({ gatewayApiCrds: '1.6.0', featureGates: { NLBGatewayAPI: true } })).toEqual(
    [...usual, 'gateway.k8s.aws', 'gateway.networking.k8s.io'].sort(),
  );
  expect(groupsOf({ gatewayApiCrds: '1.6.0', featureGates: { ALBGatewayAPI: true } })).toContain('gateway.k8s.aws');
  expect(groupsOf({ featureGates: { GlobalAcceleratorController: true } })).toEqual([...usual, 'aga.k8s.aws'].sort());
});

test('it may read no secrets, and nothing of nodes beside themselves', () => {
  const { rules } = written(installed().chart, 'ClusterRole');
  const resources = (rules as Json[]).flatMap((rule) => rule.resources as string[]);
  expect(resources.filter((resource) => /secret|nodes\/|\*/.test(resource))).toEqual([]);
});

test('objects of the whole cluster are in no namespace, all others in that of the controller', () => {
  const objects = synth(installed({ namespace: 'balancers' }).chart);
  const inNone = objects.filter(({ metadata }) => metadata.namespace === undefined).map(({ kind }) => kind);
  expect([...new Set(inNone)]).toEqual([
    'CustomResourceDefinition',
    'ClusterRole',
    'ClusterRoleBinding',
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
    'IngressClass',
  ]);
  const namespaces = objects.map(({ metadata }) => metadata.namespace).filter(Boolean);
  expect([...new Set(namespaces)]).toEqual(['balancers']);
});

test.each<[string, Props, unknown]>([
  ['two replicas', {}, { maxUnavailable: 1 }],
  ['one replica', { replicas: 1 }, undefined],
])('a disruption budget for %s', (_, props, expected) => {
  const budget = synth(installed(props).chart).find(({ kind }) => kind === 'PodDisruptionBudget');
  expect(budget?.spec).toEqual(expected && expect.objectContaining(expected));
});

test('another name is in the names of all, but in no label by which programs are told apart', () => {
  const objects = synth(installed({ name: 'edge-controller' }).chart).filter(
    ({ kind }) => !['CustomResourceDefinition', 'IngressClass'].includes(kind),
  );
  expect(objects.map(({ metadata }) => metadata.name).filter((name) => !name.startsWith('edge'))).toEqual([]);
  expect(new Set(objects.map(({ metadata }) => metadata.labels['app.kubernetes.io/name'])).size).toBe(1);
});

test('its pods are pinned, tolerate and spread as is wished', () => {
  const nodePool = NodePool.labeled({ pool: 'system' }, { taints: [NodeTaint.noSchedule('dedicated', 'system')] });
  const tolerations = [NodeTaint.noExecute('maintenance')];
  const { spec } = written(installed({ nodePool, tolerations, spread: PodSpread.REQUIRED }).chart, 'Deployment').spec
    .template;
  expect(spec.tolerations).toEqual([
    { effect: 'NoExecute', key: 'maintenance', operator: 'Exists' },
    { effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'system' },
  ]);
  expect(spec.topologySpreadConstraints).toEqual([expect.objectContaining({ whenUnsatisfiable: 'DoNotSchedule' })]);
  expect(JSON.stringify(spec.affinity.nodeAffinity)).toContain('"values":["system"]');
});

test.each<[string, Props, string[]]>(revived(CASES.podsSpread))('its pods are spread %s', (_, props, expected) => {
  const { topologySpreadConstraints = [] } = written(installed(props).chart, 'Deployment').spec.template.spec;
  const said = (topologySpreadConstraints as Json[]).map((one) => `${one.topologyKey} ${one.whenUnsatisfiable}`);
  expect(said).toEqual(expected);
});

test.each<[string, Props, unknown]>([
  ['of their own by default', {}, undefined],
  ['of their own where that is said', { hostNetwork: false }, undefined],
  ['of the node', { hostNetwork: true }, true],
])('its pods have a network %s', (_, props, expected) => {
  expect(written(installed(props).chart, 'Deployment').spec.template.spec.hostNetwork).toBe(expected);
});

test('its pods may be pinned from outside as well', () => {
  const { chart, installation } = installed();
  NodePool.labeled({ pool: 'system' }).pin(installation);
  const { affinity } = written(chart, 'Deployment').spec.template.spec;
  expect(affinity.nodeAffinity).toBeDefined();
  expect(affinity.podAntiAffinity).toBeDefined();
});

describe('a Service of the installation', () => {
  const service = (props: Props, options: AwsLoadBalancerControllerNlbOptions = {}) => {
    const app = new App();
    const { installation } = installed(props, app);
    const chart = new Chart(app, 'echo', { namespace: 'echo' });
    new LoadBalancedService(chart, 'Echo', { ...ECHO, controller: installation.nlb(options) });
    return written(chart, 'Service');
  };

  test('has the class that is served and the finalizer of the controller', () => {
    const { metadata, spec } = service({ loadBalancerClass: 'example.com/nlb' });
    expect(spec.loadBalancerClass).toBe('example.com/nlb');
    expect(metadata.finalizers).toEqual(['service.k8s.aws/resources']);
  });

  test('is what the controller by itself makes of the same wishes', () => {
    const chart = new Chart(new App(), 'echo', { namespace: 'echo' });
    const options = { targetType: NlbTargetType.IP };
    new LoadBalancedService(chart, 'Echo', { ...ECHO, controller: AwsLoadBalancerController.nlb(options) });
    expect(service({}, options)).toEqual(written(chart, 'Service'));
  });

  test.each<[string, Props, AwsLoadBalancerControllerNlbOptions, string]>(CASES.refused)(
    '%s is refused',
    (_, props, options, part) => {
      expect(() => installed(props).installation.nlb(options)).toThrow(part);
      expect(() => installed(props).installation.nlb(options)).toThrow(
        /^\[system\/Controller\] .*; .* \(controller-installation-/,
      );
    },
  );

  test.each<[string, Props]>(CASES.hasCapacityWhere)('has capacity where its role is for %s', (_, props) => {
    const capacity = 'service.beta.kubernetes.io/aws-load-balancer-minimum-load-balancer-capacity';
    expect(service(props, { minimumLoadBalancerCapacity: 2750 }).metadata.annotations).toHaveProperty([capacity]);
    const { permissions } = installed(props).installation;
    expect(JSON.stringify(permissions.toPolicyDocument())).toContain('elasticloadbalancing:ModifyCapacityReservation');
  });
});

describe('permissions', () => {
  const actions = (props: Props): string[] =>
    (installed(props).installation.permissions.toPolicyDocument().Statement as Json[])
      .flatMap(({ Action }) => Action)
      .sort();

  test('are for everything by default, and for fewer where only NLBs are made', () => {
    expect(actions({})).toEqual(
      expect.arrayContaining(['elasticloadbalancing:CreateRule', 'shield:GetSubscriptionState']),
    );
    const fewer = actions({ nlbOnly: true });
    expect(fewer).toEqual(expect.arrayContaining(['elasticloadbalancing:CreateLoadBalancer']));
    expect(fewer.filter((action) => /^(shield|waf|acm|cognito)|CreateRule/.test(action))).toEqual([]);
  });

  test.each<[string, Props, string]>([
    ['accelerators', { featureGates: { GlobalAcceleratorController: true } }, 'globalaccelerator:CreateAccelerator'],
    ['certificates', { featureGates: { EnableCertificateManagement: true } }, 'acm:RequestCertificate'],
    ['one call for tags', { featureGates: { EnableRGTAPI: true } }, 'tag:GetResources'],
  ])('grow with the gate for %s', (_, props, action) => {
    expect(actions({})).not.toContain(action);
    expect(actions(props)).toContain(action);
  });

  test('grow with Gateways of NLBs, whose certificates are looked up', () => {
    const gateways: Props = { nlbOnly: true, gatewayApiCrds: '1.6.0', featureGates: { NLBGatewayAPI: true } };
    expect(actions(gateways).filter((action) => action.startsWith('acm:'))).toEqual([
      'acm:DescribeCertificate',
      'acm:ListCertificates',
    ]);
    expect(actions({ nlbOnly: true }).filter((action) => action.startsWith('acm:'))).toEqual([]);
  });

  test('grow with what is wanted in addition, once for what a gate wants as well', () => {
    const tags = AwsLoadBalancerControllerFeature.TAGGING_API;
    const capacity = AwsLoadBalancerControllerFeature.LOAD_BALANCER_CAPACITY;
    const said = actions({ nlbOnly: true, policyFeatures: [tags, capacity], featureGates: { EnableRGTAPI: true } });
    expect(said.filter((action) => action === 'tag:GetResources')).toHaveLength(1);
    expect(said).toContain('elasticloadbalancing:ModifyCapacityReservation');
    expect(actions({ nlbOnly: true })).not.toContain('elasticloadbalancing:ModifyCapacityReservation');
  });

  test('are as far from other clusters and networks as is wished', () => {
    const text = (props: Props) => JSON.stringify(installed(props).installation.permissions.toPolicyDocument());
    const vpcArn = 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0';
    expect(text({ vpcArn })).toContain(`"ArnEquals":{"ec2:Vpc":"${vpcArn}"}`);
    expect(text({})).not.toContain('ec2:Vpc');
    expect(text({ isolation: AwsClusterIsolation.ANY_CLUSTER })).not.toContain('"prod"');
    expect(() => text({ vpcArn: 'vpc-0123456789abcdef0' })).toThrow('(aws-arn-invalid)');
  });

  test('are for the cluster and in the partition of the region', () => {
    const text = JSON.stringify(installed({ region: 'cn-north-1' }).installation.permissions.toPolicyDocument());
    expect(text).toContain('arn:aws-cn:');
    expect(text).not.toContain('arn:aws:');
    expect(text).toContain('"prod"');
  });
});

describe('an installation beside what it serves', () => {
  function both(services: number, sameChart: boolean, props: Props = {}): string {
    const app = new App();
    const { chart, installation } = installed(props, app);
    const other = sameChart ? chart : new Chart(app, 'echo', { namespace: 'echo' });
    for (let i = 0; i < services; i++) {
      new LoadBalancedService(other, `Echo${i}`, { ...ECHO, name: `echo-${i}`, controller: installation.nlb() });
    }
    return stderrOf(() => app.synthYaml());
  }

  test('in one chart is told about', () => {
    expect(both(1, true)).toMatch(
      /chart 'system' installs .* \(Service kube-system\/echo-0\).*\n.* \(controller-in-chart-of-services\)/,
    );
    expect(both(5, true)).toMatch(/Service kube-system\/echo-0, .*, Service kube-system\/echo-2 and 2 more/);
  });

  test.each<[string, object, Props, string | undefined, boolean]>([
    ['without a class, which the webhook gives', {}, { serviceMutatorWebhook: true }, 'shop', true],
    ['that the webhook spares', {}, { serviceMutatorWebhook: true }, 'kube-system', false],
  ])('that is in its chart as it is, %s', (_, spec, props, namespace, isTold) => {
    const { chart } = installed(props);
    rawService(chart, { type: 'LoadBalancer', ...spec }, namespace);
    expect(stderrOf(() => synth(chart)).includes('(controller-in-chart-of-services)')).toBe(isTold);
  });

  test('in a chart within its chart is right: that one is a file of its own', () => {
    const { chart, installation } = installed();
    const inner = new Chart(chart, 'inner', { namespace: 'echo' });
    new LoadBalancedService(inner, 'Echo', { ...ECHO, controller: installation.nlb() });
    expect(stderrOf(() => (chart.node.root as App).synthYaml())).toBe('');
  });

  test('can be acknowledged', () => {
    const { chart, installation } = installed();
    new LoadBalancedService(chart, 'Echo', { ...ECHO, controller: installation.nlb() });
    LoadBalancers.of(chart).acknowledge('controller-in-chart-of-services', 'a cluster for one test');
    expect(stderrOf(() => synth(chart))).toBe('');
  });
});

describe('an installation that looks at one namespace', () => {
  const inShop: Props = { flags: { 'watch-namespace': 'shop' } };
  function errors(namespace: string | undefined, props: Props = inShop, more: (app: App) => void = () => {}): string[] {
    const app = new App();
    const { chart, installation } = installed(props, app);
    more(app);
    new LoadBalancedService(new Chart(app, 'echo', { namespace }), 'Echo', {
      ...ECHO,
      name: 'echo',
      controller: installation.nlb(),
    });
    return errorsOf(chart);
  }

  test.each<[string, object, number]>([['of its class', { loadBalancerClass: 'service.k8s.aws/nlb' }, 1]])(
    'sees what is in the app as it is, %s',
    (_, spec, refused) => {
      const { chart } = installed(inShop);
      rawService(new Chart(chart.node.root, 'raw'), { type: 'LoadBalancer', ...spec }, 'other');
      expect(errorsOf(chart)).toEqual(
        Array(refused).fill(expect.stringMatching(/Service other\/raw .*\(service-namespace-not-watched\)$/)),
      );
    },
  );

  test.each<[string, string | undefined, Props?]>([['whose namespace is said when it is applied', undefined]])(
    'accepts a Service %s',
    (_, ...[namespace, props]) => expect(errors(namespace, props)).toEqual([]),
  );
});

test('versions are told as they are', () => {
  expect(AwsLoadBalancerControllerVersion.of('v3.6.0').version).toBe('3.6.0');
  const version = AwsLoadBalancerControllerVersion.of('3.6.0');
  const { image } = written(installed({ version, crds: false }).chart, 'Deployment').spec.template.spec.containers[0];
  expect(image).toMatch(/:v3\.6\.0$/);
});

test('the tables of kinds are read when a controller is installed, and not before', () => {
  const root = join(__dirname, '..', '..', '..');
  const folder = './src/installations/aws-load-balancer-controller';
  const program = `
    require('${folder}/installation');
    const read = () => Object.keys(require.cache).filter((path) => /crds\\.facts/.test(path)).length;
    const before = read();
    require('${folder}/crds').crdFacts(new Set(['core']));
    process.stdout.write(JSON.stringify([before, read()]));`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.scripts.json') },
  });
  expect(JSON.parse(output)).toEqual([0, 1]);
});

describe('audit', () => {
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
      const later = ({ since }: { since?: string }) =>
        since !== undefined && !reaches({ version: tag.slice(1) }, since);
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
      expect(((crd?.spec.versions ?? []) as Json[]).map(({ name }) => name).sort()).toEqual(
        Object.keys(versions).sort(),
      );
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
    expect([...new Set(everything.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))]).toEqual(
      casesIn(__dirname, 'installation.yaml')['the kinds of objects that an installation is made of'],
    );
  });

  const GOLDENS: Record<string, Partial<AwsLoadBalancerControllerInstallationProps>> = {
    'aws-load-balancer-controller': {},
    'aws-load-balancer-controller-for-nlbs': {
      crds: false,
      nlbOnly: true,
      region: 'us-gov-west-1',
      identity: AwsIdentity.irsa('arn:aws-us-gov:iam::123456789012:role/balancers'),
      certificate: WebhookCertificate.fromSecret('webhook-tls', AUTHORITY),
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
});
