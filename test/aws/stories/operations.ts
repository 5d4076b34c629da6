import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, Chart } from 'cdk8s';
import { AwsCloudProvider, KubernetesVersion, LoadBalancerKeeper, NodePool, TrafficPolicy } from '../../../src';
import { AWS_RESOURCES } from '../../cluster/models/owners';
import type { Ref } from '../../real/api';
import { addNode, nodeRef } from '../../real/objects';
import { install, permit } from '../../real/policies';
import { until } from '../../real/program';
import { accountPython, awsEnvironment, POOL } from '../harness/aws-cluster';
import { type AwsStory, golden, type Plot, targetNodes, theGroup, written } from '../harness/aws-story';
import type { Inventory } from '../harness/inventory';

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'stuck-in-terminating.md');
const SECTION = /^### AWS\n([\s\S]*?)^### /m;
/** The tags of the page are those of the AWS Load Balancer Controller; here the cloud controller runs. */
const TAGS = {
  'Key=service.k8s.aws/stack,Values=$NAMESPACE/$SERVICE': 'Key=kubernetes.io/service-name,Values=$NAMESPACE/$SERVICE',
  'Key=elbv2.k8s.aws/cluster,Values=$CLUSTER': 'Key=kubernetes.io/cluster/$CLUSTER,Values=owned',
};

/** The commands of the page for AWS, with the tags of the controller that runs here; the names are the story's. */
function commands(): string[] {
  const [, section] = SECTION.exec(readFileSync(PAGE, 'utf8')) as RegExpExecArray;
  const blocks = [...section.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  const [name, find, remove, ...others] = blocks;
  expect(name).toMatch(/^CLUSTER=\w+\n$/);
  expect(others).toEqual([]);
  const ours = Object.entries(TAGS).reduce((command, [theirs, tag]) => {
    expect(find).toContain(`"${theirs}"`);
    return command.replace(theirs, tag);
  }, find);
  return [ours, remove];
}

/** Runs commands with the real command line of AWS against the fake account. */
async function shell(story: AwsStory, script: string): Promise<string> {
  const { aws, plane } = story.cluster;
  const { stdout } = await promisify(execFile)('bash', ['-euc', `aws() { "$PYTHON" -m awscli "$@"; }\n${script}`], {
    env: {
      ...process.env,
      ...awsEnvironment(plane.folder, aws.endpoint),
      AWS_DEFAULT_REGION: aws.account.region,
      PYTHON: accountPython(),
      CLUSTER: aws.account.cluster,
      NAMESPACE: story.namespace,
      SERVICE: 'echo',
    },
  });
  return stdout;
}

/** A balancer for a Service of the same name, with the tag of a cluster. */
function namesake({ cluster: { aws } }: AwsStory, name: string, cluster: string): string {
  const [subnet] = aws.account.internalSubnets;
  const tags = `"Key=kubernetes.io/service-name,Value=$NAMESPACE/$SERVICE" Key=kubernetes.io/cluster/${cluster},Value=owned`;
  return `aws elbv2 create-load-balancer --type network --name ${name} --subnets ${subnet} --tags ${tags} --query 'LoadBalancers[].LoadBalancerArn' --output text`;
}

/** What an operator types when no controller will come any more. */
export const incidentCommands: Record<string, Plot> = {
  'the page on stuck Services finds a balancer and deletes it': async (story) => {
    const { api } = story.cluster.plane;
    const service = golden(story.namespace, 'aws-cloud-provider-nlb');
    // earlier stories left rules behind, so those are not counted here
    const made = ({ networkBalancers, targetGroups }: Inventory) => [networkBalancers.length, targetGroups.length];
    await api.create(service);
    await until('its address', async () => (await api.find(service))?.status?.loadBalancer?.ingress?.[0]?.hostname);
    await story.seeThat('created', made, [1, 1]);
    const other = (await shell(story, namesake(story, 'of-another-cluster', 'another'))).trim();
    const [find, remove] = commands();
    const found = (await shell(story, find)).split(/\s+/);
    expect(found.filter((arn) => arn.includes(':loadbalancer/'))).toHaveLength(1);
    expect(found.filter((arn) => arn.includes(':targetgroup/'))).toHaveLength(1);
    expect(found).not.toContain(other);
    const second = (await shell(story, namesake(story, 'twice', story.cluster.aws.account.cluster))).trim();
    await expect(shell(story, `${find}${remove}`)).rejects.toThrow('not exactly one balancer, so nothing was deleted');
    await story.seeThat('the commands where two are found', made, [3, 1], 'nothing is deleted');
    await shell(story, `aws elbv2 delete-load-balancer --load-balancer-arn ${second}`);
    await shell(story, `${find}${remove}`);
    await story.seeThat('the commands of the page', made, [1, 0], 'deleted by hand; that of another cluster stands');
    await shell(story, `aws elbv2 delete-load-balancer --load-balancer-arn ${other}`);
    await story.seeThat('that one by its own name', made, [0, 0]);
    await api.delete(service);
    await until('the Service to go', async () => (await api.find(service)) === undefined);
  },
};

const OPERATOR = 'system:serviceaccount:operators:operator';

/** A Service of an operator, which writes it again without the finalizer that the controller has added. */
async function stripped(story: AwsStory): Promise<Ref> {
  const { api } = story.cluster.plane;
  const owner: Ref = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'resource', namespace: story.namespace },
  };
  const { uid } = (await api.create(owner)).metadata;
  const service = written(story.namespace, AwsCloudProvider.nlb());
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'resource', uid }];
  const owned: Ref = { ...service, metadata: { ...service.metadata, finalizers: undefined, ownerReferences } };
  await story.create('the operator creates it', owned, '1 NLB, 1 target group, 2 rules');
  const operator = api.actingAs(OPERATOR);
  await operator.merge(owned, { metadata: { finalizers: null, labels: { reconciled: 'yes' } } });
  return owned;
}

/** What the real controller does under a keeper. */
export const keeper: Record<string, Plot> = {
  'an operator that strips the finalizer, with the keeper': async (story) => {
    const { api } = story.cluster.plane;
    const label = { 'example.com/kept': story.namespace };
    await api.merge(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: story.namespace } },
      { metadata: { labels: label } },
    );
    await permit(api, OPERATOR, [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }]);
    const chart = new Chart(new App(), 'keeper');
    new LoadBalancerKeeper(chart, 'Keeper', { kubernetes: KubernetesVersion.V1_36, namespaceLabels: label });
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }).catch(() => undefined);
    await install(api, chart);
    const service = await stripped(story);
    await until('the keeper', async () => {
      const { metadata } = await api.get(service);
      return metadata.labels?.reconciled === 'yes' && metadata.finalizers?.length > 0;
    });
    await story.see('the operator strips', '[K]', '1 NLB, 1 target group, 2 rules', 'put back');
    await api.actingAs(OPERATOR).merge(service, { metadata: { finalizers: null }, spec: { type: 'ClusterIP' } });
    await story.see('another type, without the finalizer', '[]', 'nothing', 'the controller cleans up and releases it');
    await api.merge(service, { spec: { type: 'LoadBalancer' } });
    await story.see('type LoadBalancer again', '[K]', '1 NLB, 1 target group, 2 rules', '', service);
    await story.remove(service);
  },
};

const EDGE = NodePool.labeled({ [POOL]: 'edge' });

const move = ({ cluster }: AwsStory, node: string, pool: string | null) =>
  cluster.plane.api.merge(nodeRef(node), { metadata: { labels: { [POOL]: pool } } });

/** Which nodes `backendNodes` makes targets. */
export const nodePools: Record<string, Plot> = {
  'a node pool behind a Network Load Balancer': async (story) => {
    const { api } = story.cluster.plane;
    const { nodes } = story.cluster.aws.account;
    const targets = targetNodes(story);
    const service = written(story.namespace, AwsCloudProvider.nlb(), { backendNodes: EDGE });
    const made = await story.create('backendNodes pool=edge', service, '1 NLB, 1 target group, 4 rules');
    expect(theGroup(made).healthCheck).toMatchObject({ protocol: 'HTTP', path: '/healthz' });
    await story.seeThat('looked up', targets, ['edge-1', 'edge-2'], 'exactly the nodes of the pool');

    await move(story, 'edge-2', 'plain');
    await story.seeThatForLong('edge-2 leaves the pool', targets, ['edge-1', 'edge-2'], 'nobody looks at its labels');

    await api.delete(nodeRef('plain-1'));
    await story.seeThat('another node goes', targets, ['edge-1'], 'now they are looked at');

    const { instance, zone, address } = nodes['plain-1'];
    const props = { providerID: `aws:///${zone}/${instance}`, internalIp: address };
    await addNode(api, 'plain-1', { ...props, labels: { [POOL]: 'edge' } });
    await story.seeThat('it comes back, in the pool', targets, ['edge-1', 'plain-1'], 'a new node of the pool');

    await move(story, 'edge-2', 'edge');
    await move(story, 'plain-1', 'plain');
    // by then the controller has seen both: what a Service changes before that is carried out with the nodes as they were
    await story.seeThatForLong('both move', targets, ['edge-1', 'plain-1'], 'nobody looks at their labels');
    await api.merge(service, { metadata: { annotations: { 'example.com/changed': 'yes' } } });
    await story.seeThat('the Service changes', targets, ['edge-1', 'edge-2'], 'any change of it will do');
    await story.remove(service);
  },

  'a node pool with policy Cluster': async (story) => {
    const wishes = { backendNodes: EDGE, trafficPolicy: TrafficPolicy.CLUSTER };
    const service = written(story.namespace, AwsCloudProvider.nlb(), wishes);
    await story.create('backendNodes, Cluster', service, '1 NLB, 1 target group, 2 rules');
    await story.seeThat('looked up', targetNodes(story), ['edge-1', 'edge-2'], 'the pool all the same');
    await story.remove(service);
  },

  'a label without a value': async (story) => {
    await move(story, 'plain-1', null);
    const controller = AwsCloudProvider.nlb({ targetNodeLabels: { [POOL]: '' } });
    const service = written(story.namespace, controller);
    await story.create('targetNodeLabels pool=', service, '1 NLB, 1 target group, 2 rules');
    await story.seeThat('plain-1 has no such label', targetNodes(story), ['edge-1', 'edge-2'], 'any value matches');
    await story.remove(service);

    await move(story, 'plain-1', 'other');
    await story.create('again', service, '1 NLB, 1 target group, 2 rules');
    await story.seeThat('plain-1 has another value', targetNodes(story), ['edge-1', 'edge-2', 'plain-1'], 'any value');
    await story.remove(service);
    await move(story, 'plain-1', 'plain');
  },

  'a node pool behind a Classic Load Balancer': async (story) => {
    const service = written(story.namespace, AwsCloudProvider.classic(), { backendNodes: EDGE });
    await story.create('backendNodes pool=edge', service, '1 classic, 1 security group, 3 rules');
    await story.seeThat('looked up', targetNodes(story), ['edge-1', 'edge-2'], 'exactly the nodes of the pool');
    await story.remove(service);
  },
};

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';

function external(namespace: string, type: string): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', namespace, annotations: { [TYPE]: type } },
    spec: { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 443, targetPort: 8443 }] },
  };
}

/** Deletes a Service whose finalizer nobody here removes. */
async function hangs(story: AwsStory, service: Ref): Promise<void> {
  const { api } = story.cluster.plane;
  await api.delete(service);
  await story.seeForLong('deleted', '[F] Terminating', 'nothing', 'the owner that the manifest names does not run');
  await api.merge(service, { metadata: { finalizers: null } });
  await story.see('F taken out by hand', 'gone', 'nothing', AWS_RESOURCES);
}

/** Services that are left to the AWS Load Balancer Controller, which does not run here. */
export const notServed: Record<string, Plot> = {
  ...Object.fromEntries(
    ['external', 'nlb-ip'].map((type): [string, Plot] => [
      `type ${type} without a class`,
      async (story) => {
        const service = external(story.namespace, type);
        await story.cluster.plane.api.create(service);
        await story.seeForLong('created', '[K]', 'nothing', 'the finalizer comes, a balancer never does');
        await story.remove(service);
      },
    ]),
  ),

  'the same, written for the AWS Load Balancer Controller': async (story) => {
    const service = golden(story.namespace, 'aws-load-balancer-controller-by-annotation');
    await story.cluster.plane.api.create(service);
    await story.seeForLong('created', '[F,K]', 'nothing', 'both finalizers, no balancer');
    await hangs(story, service);
  },

  'a class': async (story) => {
    const service = golden(story.namespace, 'aws-load-balancer-controller-instance-local');
    await story.cluster.plane.api.create(service);
    await story.seeForLong('created', '[F]', 'nothing', 'a Service with a class is not looked at');
    await hangs(story, service);
  },
};
