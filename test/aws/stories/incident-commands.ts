import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../cluster/harness/wait';
import type { AwsStory, Plot } from '../harness/aws-story';
import { accountPython, awsEnvironment } from '../harness/environment';
import type { Inventory } from '../harness/inventory';
import { golden } from '../harness/manifests';

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
