import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedRules } from '../../src/cli/explain/described-rules';
import { ROOT } from './files';
import { code, table } from './markdown';
import { checkedBefore, filesAfter, STORIES } from './stories';

/** A story in a few lines: what stands in the files before and after, and which finding is about it. */
interface Brief {
  readonly title: string;
  /** What happened, in one sentence without a full stop. */
  readonly situation: string;
  /** What the picture shows, for those who do not see it. */
  readonly picture: string;
  /** A line of the YAML that is checked. */
  readonly before: string;
  readonly ruleId: string;
  readonly construct: string;
  /** A line of what synth writes. */
  readonly after: string;
  readonly so: string;
}

/** The README's stories, by the names of their folders. */
const BRIEFS: Record<string, Brief> = {
  finalizers: {
    title: 'The finalizer that an operator strips',
    situation: 'a Kafka listener names the wrong finalizer, and an old Strimzi strips the right one',
    picture:
      'Before: the listener declares another finalizer, Strimzi strips the finalizer of the AWS controller, the Service is deleted, and its load balancer is orphaned. After: the listener declares the right finalizer, and the load balancer is deleted first.',
    before: 'finalizers: [service.kubernetes.io/load-balancer-cleanup]',
    ruleId: 'finalizer-missing-on-listener',
    construct: 'KafkaLoadBalancedListener',
    after: '- service.k8s.aws/resources',
    so: 'no reconciliation strips it',
  },
  'traffic-policy': {
    title: 'The address of the client',
    situation: 'pods should see the address of the client, and share the connections evenly',
    picture:
      'Policy Cluster: two of three connections take a second hop. Policy Local: no second hop, a node without a pod fails its health check, and three pods get 25, 25 and 50 per cent.',
    before: 'externalTrafficPolicy: Local',
    ruleId: 'local-policy-without-pool',
    construct: 'LoadBalancedService',
    after: 'preserve_client_ip.enabled=true',
    so: 'pods are the targets, and get even shares',
  },
  cleanup: {
    title: 'The Service that stays in Terminating',
    situation: 'one finalizer is written for Azure, whose controller removes it, and for MetalLB, which does not',
    picture:
      'Without a finalizer, a Service that is deleted while its controller is down orphans its load balancer. With it, the Service waits until the controller has cleaned up. If no controller removes it, the Service waits for ever.',
    before: '- service.kubernetes.io/load-balancer-cleanup',
    ruleId: 'finalizer-of-other-controller',
    construct: 'LoadBalancedService',
    after: '- service.kubernetes.io/load-balancer-cleanup',
    so: 'for Azure alone, whose controller removes it; for MetalLB it writes none',
  },
  tenants: {
    title: 'A balancer for each tenant',
    situation: 'three tenants have a balancer each, and the budget is for one',
    picture: 'Before: three tenants, each with a load balancer. After: the three behind one, each at ports of its own.',
    before: 'type: LoadBalancer',
    ruleId: 'monthly-cost-exceeded',
    construct: 'TenantManifests',
    after: 'type: ClusterIP',
    so: 'one balancer, and no tenant changes its file',
  },
  'node-pool': {
    title: 'Pods on one node pool, the balancer on another',
    situation: 'the pods were moved to another node group than the targets',
    picture:
      'Before: the pods are on another node pool than the targets, and no connection is answered. After: both are on one pool, with even shares.',
    before: 'aws-load-balancer-target-node-labels: eks.amazonaws.com/nodegroup=edge',
    ruleId: 'backend-without-pods',
    construct: 'NodepoolPinnedService',
    after: 'key: eks.amazonaws.com/nodegroup',
    so: 'the pods require the pool of the targets',
  },
};

/** The five stories as the README has them, a row each. */
export function briefStories(): string {
  const rows = STORIES.map(({ name, before }) => {
    const brief = BRIEFS[name];
    const page = `docs/explanation/stories.md#${anchorOf(brief.title)}`;
    const folder = join('examples', 'stories', name);
    mustHave(brief.before, before.map((file) => readFileSync(join(ROOT, folder, file), 'utf8')).join(''), folder);
    mustHave(brief.after, [...filesAfter(name).values()].join(''), `what ${folder}/after.ts writes`);
    return [
      `[${brief.title}](${page}): ${brief.situation}`,
      `${lineOf(brief.before)}<br>\`${brief.ruleId}\`: ${titleFoundIn(name, brief.ruleId)}`,
      `${code(brief.construct)} writes ${lineOf(brief.after)}: ${brief.so}`,
    ];
  });
  return table(['story', 'before, and what `check` reports', 'after'], rows);
}

/** The picture of each story for their page, by the names of its marks. */
export function storyPictures(): Record<string, string> {
  return Object.fromEntries(
    STORIES.map(({ name }) => [`${name}: picture`, `![${BRIEFS[name].picture}](../images/story-${name}.svg)`]),
  );
}

/** A line of YAML as prose has it. */
const lineOf = (line: string) => code(line.replace(/^- /, ''));

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replace(/ /g, '-');
}

/** The title of a rule that finds something in the YAML of a story. */
function titleFoundIn(name: string, ruleId: string): string {
  const rule = describedRules().find(({ id }) => id === ruleId);
  if (!rule || !checkedBefore(name).findings.some((finding) => finding.ruleId === ruleId)) {
    throw new Error(`no finding of ${ruleId} is in the story ${name}`);
  }
  return rule.says;
}

function mustHave(line: string, text: string, where: string): void {
  if (!text.includes(line)) {
    throw new Error(`'${line}' is not in ${where}`);
  }
}
