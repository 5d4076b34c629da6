import { NO_CONTEXT } from '../../../src/cli/context/check-context';
import { readContext } from '../../../src/cli/context/context-file';
import { evidenceIn, inferredContext } from '../../../src/cli/context/inference';
import { initialContextFile, SCHEMA_FILE } from '../../../src/cli/sources/init';
import { itemsOf, readKubernetesYaml } from '../../../src/contract/kubernetes-yaml';
import { LoadBalancerOwner } from '../../../src/controllers/load-balancer-owner';
import { OwnershipState } from '../../../src/controllers/options';
import { type Manifest, ManifestIndex } from '../../../src/rules/manifest-objects';
import { casesIn, revived, table } from '../../support/yaml-cases';

function manifestsIn(files: Readonly<Record<string, string>>): Manifest[] {
  return Object.entries(files).flatMap(([file, text]) =>
    readKubernetesYaml(text)
      .values.flatMap(itemsOf)
      .map(({ value, line }) => ({ file, line, object: value as Manifest['object'] })),
  );
}

const indexOf = (...texts: string[]) => new ManifestIndex(manifestsIn({ 'all.yaml': texts.join('---\n') }));
const inferred = (...texts: string[]) => inferredContext(indexOf(...texts), NO_CONTEXT);

const saidOf = (...texts: string[]) => inferred(...texts).known.map(({ what, from }) => `${what}: ${from}`);

function ownerOf(...texts: string[]) {
  const { controllers } = inferred(...texts);
  const service = indexOf(...texts).of('', 'Service')[0].json;
  const owner = LoadBalancerOwner.of(service, controllers && [...controllers]);
  return owner.name ?? owner.state;
}

function workload(name: string, image: string, { kind = 'Deployment', args = [] as string[], env = '' } = {}): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name}, namespace: kube-system }
spec:
  template:
    spec:
      containers:
        - name: ${name}
          image: ${image}
          args: ${JSON.stringify(args)}
          env: [${env}]
`;
}

function service(name: string, { annotations = {}, spec = {} }: { annotations?: object; spec?: object } = {}): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name}, annotations: ${JSON.stringify(annotations)} }
spec: ${JSON.stringify({ type: 'LoadBalancer', ...spec })}
`;
}

function object(apiVersion: string, kind: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`;
}

function node(name: string, providerID: string, labels: object = {}, taints: object[] = []): string {
  return `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: ${JSON.stringify(labels)} }
spec: { providerID: '${providerID}', taints: ${JSON.stringify(taints)} }
status: { nodeInfo: { kubeletVersion: v1.35.3 } }
`;
}

function webhooks(...names: string[]): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: aws-load-balancer-webhook }
webhooks:
${names.map((name) => `  - { name: ${name}.elbv2.k8s.aws, clientConfig: { service: { name: w, namespace: kube-system } } }`).join('\n')}
`;
}

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const LBC = workload('aws-load-balancer-controller', 'public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0', {
  args: ['--cluster-name=prod', '--aws-region=eu-west-1'],
});
const LBC_OF_CLASS = workload('lbc', 'mirror.example.com/aws-load-balancer-controller:v2.7.1', {
  args: ['--cluster-name=prod', '--load-balancer-class=acme.io/nlb'],
});
const CCM = workload('ccm', 'registry.k8s.io/provider-aws/cloud-controller-manager:v1.36.1', { kind: 'DaemonSet' });
const METALLB = workload('controller', 'quay.io/metallb/controller:v0.16.2', { args: ['--port=7472'] });
const HCLOUD = workload('hccm', 'docker.io/hetznercloud/hcloud-cloud-controller-manager:v1.25.1');
const AZURE = workload('ccm', 'mcr.microsoft.com/oss/kubernetes/azure-cloud-controller-manager:v1.34.3');
const PLAIN = service('plain');
const NLB = service('nlb', { annotations: { [`${AWS}type`]: 'nlb' } });
const EXTERNAL = service('external', { annotations: { [`${AWS}type`]: 'external', [`${AWS}nlb-target-type`]: 'ip' } });
const OF_CLASS = service('class', { spec: { loadBalancerClass: 'service.k8s.aws/nlb' } });
const INTERNAL = service('internal', {
  annotations: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
});
const OUTSCALE = service('outscale', {
  annotations: { 'service.beta.kubernetes.io/osc-load-balancer-name': 'a' },
});
const RANGED = service('ranged', {
  annotations: {
    [`${AWS}type`]: 'external',
    [`${AWS}nlb-target-type`]: 'ip',
    'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8',
  },
});
const MISSPELT = service('misspelt', { annotations: { 'service.beta.kubernetes.io/aws-loadbalancer-type': 'nlb' } });

describe('controllers', () => {
  it.each<[string, string[], string[]]>([
    ...revived(table('cli/context/inference.yaml', 'are seen by', { LBC, AZURE, INTERNAL, RANGED }), {
      webhooks,
      service,
    }),
    [
      'two versions of one controller',
      [METALLB, METALLB.replace('0.16.2', '0.15.3')],
      ['controllers metallb: the Deployments in all.yaml:1 and 1 more'],
    ],
  ])('are seen by %s', (_, texts, said) => expect(saidOf(...texts)).toEqual(said));

  it.each<[string, string[], string]>([
    ...revived(
      table('cli/context/inference.yaml', 'decide who owns a Service', { CCM, LBC, EXTERNAL, NLB, METALLB, HCLOUD }),
      { service, webhooks, node, workload },
    ),
    [
      'a class of a flag',
      [OF_CLASS.replace('service.k8s.aws/nlb', 'acme.io/nlb'), LBC_OF_CLASS],
      'aws-load-balancer-controller',
    ],
    [
      'a class that is prefixed',
      [OF_CLASS.replace('service.k8s.aws/nlb', 'alibabacloud.com/nlb')],
      'alibaba-cloud-controller-manager',
    ],
    [
      'a DaemonSet of ServiceLB',
      [
        PLAIN,
        object('apps/v1', 'DaemonSet').replace(
          'metadata: {',
          'metadata: { labels: { svccontroller.k3s.cattle.io/svcname: a },',
        ),
      ],
      'k3s-servicelb',
    ],
  ])('decide who owns a Service: %s', (_, texts, owner) => {
    expect(ownerOf(...texts)).toBe(owner);
    expect(inferred(...texts).areControllersInferred).toBe(true);
  });

  it.each<[string, string[]]>([
    [
      'a Service without a class beside a controller that serves one',
      [PLAIN, METALLB.replace('--port=7472', '--lb-class=metallb')],
    ],
  ])('never leave a Service without an owner: %s', (_, texts) => {
    expect(ownerOf(...texts)).toBe(OwnershipState.UNKNOWN);
  });

  it.each<[string, string[], string]>(table('cli/context/inference.yaml', 'are not concluded'))(
    'are not concluded %s',
    (_, texts, doubt) => {
      const context = inferred(...texts);
      expect(context.controllers).toBeUndefined();
      expect(context.areControllersInferred).toBeUndefined();
      expect(context.known[0].what).toMatch(new RegExp(`^controllers .*, but not who claims which Service: ${doubt}$`));
    },
  );

  it('are not concluded of two that run in different folders', () => {
    const index = new ManifestIndex(manifestsIn({ 'a/m.yaml': `${PLAIN}---\n${METALLB}`, 'b/h.yaml': HCLOUD }));
    expect(inferredContext(index, NO_CONTEXT).controllers).toBeUndefined();
  });

  it.each<[string, string[]]>([
    ['a program runs, whatever an annotation is for', [CCM, OUTSCALE]],
    ['an annotation is misspelt', [NLB, MISSPELT]],
  ])('are concluded where %s', (_, texts) => expect(inferred(...texts).controllers).toBeDefined());
});

const STRIMZI = (version: string, gates = '') =>
  workload('strimzi-cluster-operator', `quay.io/strimzi/operator:${version}`, {
    env: gates && `{ name: STRIMZI_FEATURE_GATES, value: '${gates}' }`,
  });

describe('what else is inferred', () => {
  it.each<[string[], string | undefined, boolean | undefined]>([
    [[STRIMZI('0.51.0', '-ServerSideApplyPhase1')], '0.51.0', false],
    [[STRIMZI('0.48.0', '+UseConnectBuildWithBuildah, +ServerSideApplyPhase1')], '0.48.0', true],
    [[STRIMZI('0.45.0', '+ServerSideApplyPhase1')], '0.45.0', false],
  ])('Strimzi %#: %s', (texts, version, keeps) => {
    const { strimzi, isStrimziInferred } = inferred(...texts);
    expect(strimzi?.version).toBe(version);
    expect(strimzi?.keepsForeignFinalizers).toBe(keeps);
    expect(isStrimziInferred).toBe(version === undefined ? undefined : true);
  });

  const NODES = casesIn(__dirname, 'inference.yaml').nodes;

  it('node pools, by the labels of Nodes and the taints that all of them have', () => {
    const { nodePools = {} } = inferred(...NODES);
    expect(Object.keys(nodePools)).toEqual(['ingest', 'default']);
    expect(nodePools.ingest.labels).toEqual({ 'eks.amazonaws.com/nodegroup': 'ingest' });
    expect(nodePools.ingest.taints.map(String)).toEqual(['dedicated=ingest:NoSchedule']);
    expect(nodePools.ingest.zones).toEqual(['eu-west-1a', 'eu-west-1b']);
  });

  it('the region, unless there are several', () => {
    expect(inferred(...NODES).region).toBe('eu-west-1');
    expect(inferred(...NODES, node('e', '', { 'topology.kubernetes.io/region': 'eu-west-2' })).region).toBeUndefined();
    expect(inferred(LBC).region).toBe('eu-west-1');
    expect(inferred(LBC.replace('eu-west-1', '$(REGION)')).region).toBeUndefined();
  });

  it('never the version of Kubernetes, of which Nodes show the least alone', () => {
    expect(inferred(...NODES).kubernetes).toBeUndefined();
    expect(evidenceIn(indexOf(...NODES, node('e', '').replace('v1.35.3', 'v1.9.0'))).kubelet?.value).toBe('1.35');
  });

  it('nothing that the file says', () => {
    const all = [LBC, STRIMZI('0.45.0'), ...NODES];
    const { context } = readContext(
      'load-balancers.yaml',
      'controllers: [gke]\nstrimzi: 1.2.0\nregion: mars\nnodePools: {}\nkubernetes: 1.36\n',
    );
    expect(inferredContext(indexOf(...all), context as NonNullable<typeof context>)).toEqual(context);
    expect(inferredContext(indexOf(), NO_CONTEXT)).toEqual(NO_CONTEXT);
  });

  it.each([
    'apiVersion: v1\nkind: Node\nmetadata: { labels: { agentpool: 7, nodepool: "a b", topology.kubernetes.io/region: {}, karpenter.sh/nodepool: "" } }\nspec: [ ]\n',
    'apiVersion: v1\nkind: Service\nmetadata: 7\nspec: { type: LoadBalancer }\n',
  ])('from strange objects no harm: %#', (text) => {
    expect(inferred(text, LBC, CCM).known.length).toBeGreaterThan(0);
    expect(
      readContext('load-balancers.yaml', initialContextFile(evidenceIn(indexOf(text, LBC, CCM)))).mistakes,
    ).toEqual([]);
  });

  it('from more objects than a stack has room for', () => {
    const objects = manifestsIn({ 'a.yaml': service('a', { annotations: { [`${AWS}type`]: 'nlb' } }) });
    const many = new ManifestIndex(Array.from({ length: 200_000 }, () => objects[0]));
    expect(inferredContext(many, NO_CONTEXT).known[0].from).toBe('the Services in a.yaml:1 and 199999 more');
  });
});

describe('a new context file', () => {
  const NODE = node(
    'a',
    'aws:///eu-west-1a/i-1',
    { 'eks.amazonaws.com/nodegroup': 'yes', 'topology.kubernetes.io/zone': 'eu-west-1a' },
    [{ key: 'dedicated', value: 'ingest', effect: 'NoSchedule' }],
  );
  const files = {
    'k8s/lbc.yaml': `${LBC}---\n${webhooks('mpod', 'mservice')}`,
    'k8s/nodes.yaml': NODE,
    'k8s/strimzi.yaml': STRIMZI('0.45.0'),
  };
  const text = initialContextFile(evidenceIn(new ManifestIndex(manifestsIn(files))));

  it('says what was seen, and by what', () => {
    expect(text).toBe(`# yaml-language-server: $schema=${SCHEMA_FILE}
# What manifests cannot say about their cluster. This was read from the manifests: correct it, and complete it.

# the version of the API server: this one or a newer one, by the Node in k8s/nodes.yaml:1
# kubernetes: '1.35'

# all load balancer controllers that run in the cluster, the cloud's own among them
controllers:
  # the Deployment in k8s/lbc.yaml:1
  - name: aws-load-balancer-controller
    version: 3.5.0
    serviceMutatorWebhook: true
  # the Node in k8s/nodes.yaml:1
  - cloud-provider-aws

# the version of the Strimzi operator: from the Deployment in k8s/strimzi.yaml:1
strimzi: 0.45.0

# the region of the cluster, as its cloud calls it: from the Deployment in k8s/lbc.yaml:1
region: eu-west-1

# the node pools of the cluster, by name
nodePools:
  # the Node in k8s/nodes.yaml:1
  'yes':
    labels:
      eks.amazonaws.com/nodegroup: 'yes'
    taints: ['dedicated=ingest:NoSchedule']
    zones: [eu-west-1a]

# findings and losses that are accepted, each with its reason
# accepted: [{ rule: annotation-unknown, object: edge/echo, reason: one pod on each node }]
`);
  });

  it('is read as what was inferred', () => {
    const { context, mistakes } = readContext('load-balancers.yaml', text);
    expect(mistakes).toEqual([]);
    expect(context?.controllers?.map(({ name }) => name)).toEqual([
      'aws-load-balancer-controller',
      'cloud-provider-aws',
    ]);
    expect(context?.strimzi?.version).toBe('0.45.0');
    expect(context?.region).toBe('eu-west-1');
    expect(context?.nodePools?.yes.taints.map(String)).toEqual(['dedicated=ingest:NoSchedule']);
  });

  it('is right when its comments are made keys', () => {
    const written = initialContextFile(evidenceIn(indexOf()))
      .replace(/^# (\w+: [[{'\w])/gm, '$1')
      .replace(/^yaml-.*$/m, '');
    const { context, mistakes } = readContext('load-balancers.yaml', written);
    expect(mistakes).toEqual([]);
    expect(context?.known.length).toBeGreaterThan(3);
  });

  it('leaves the controllers to whoever knows where that is not seen', () => {
    const doubtful = initialContextFile(evidenceIn(indexOf(LBC, PLAIN)));
    expect(
      doubtful,
    ).toContain(`; decide, since whether the webhook of aws-load-balancer-controller takes Services without a class is not to be seen
# controllers:
#   # the Deployment in all.yaml:1
#   - name: aws-load-balancer-controller
#     version: 3.5.0
#   # the Deployment in all.yaml:1
#   - cloud-provider-aws
`);
    expect(readContext('load-balancers.yaml', doubtful).context?.controllers).toBeUndefined();
  });

  it('is the same for the same objects', () => {
    expect(initialContextFile(evidenceIn(new ManifestIndex(manifestsIn(files))))).toBe(text);
  });
});
