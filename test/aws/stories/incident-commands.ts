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
const STACK_TAG = 'Key=service.k8s.aws/stack,Values=$NAMESPACE/$SERVICE';
const NAME_TAG = 'Key=kubernetes.io/service-name,Values=$NAMESPACE/$SERVICE';

/** The commands of the page for AWS, with the tag of the controller that runs here. */
function commands(): string[] {
  const [, section] = SECTION.exec(readFileSync(PAGE, 'utf8')) as RegExpExecArray;
  const blocks = [...section.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  expect(blocks).toHaveLength(2);
  expect(blocks[0]).toContain(STACK_TAG);
  return blocks.map((block) => block.replace(STACK_TAG, NAME_TAG));
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
      NAMESPACE: story.namespace,
      SERVICE: 'echo',
    },
  });
  return stdout;
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
    const [find, remove] = commands();
    const found = (await shell(story, find)).split(/\s+/);
    expect(found.filter((arn) => arn.includes(':loadbalancer/'))).toHaveLength(1);
    expect(found.filter((arn) => arn.includes(':targetgroup/'))).toHaveLength(1);
    await shell(story, `${find}${remove}`);
    await story.seeThat('the commands of the page', made, [0, 0], 'deleted by hand');
    await api.delete(service);
    await until('the Service to go', async () => (await api.find(service)) === undefined);
  },
};
