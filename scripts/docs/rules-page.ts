import { type DescribedRule, OWN_NAME } from '../../src/contract/rule';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { collectedRules, type PlacedRule } from './collected-rules';
import { code, page, prose, source } from './markdown';

/** The sections of the page in their order, and the modules whose rules they have: the first one that fits. */
const SECTIONS: readonly [title: string, modules: RegExp][] = [
  ['Services', /^rules\/(?!app|workload)/],
  ['Workloads', /^rules\/workload/],
  ['Apps', /^rules\/app/],
  ['Limits of cost and of quotas', /^cost\//],
  ['What a change does to protected balancers', /^diff\//],
  ['Wishes, controllers and plans', /^(contract\/|services\/|controllers\/[^/]+$|controllers\/shared\/)/],
  ['Manifests', /^cli\//],
  ['Kafka listeners', /^kafka\/(listener|routes|rules\/(listener|tls-route)|rules[.]facts)/],
  ['KafkaNodePools', /^kafka\/rules\/node-pool/],
  ['Kafka resources', /^kafka\//],
  ['TargetGroupBindings', /^controllers\/aws-load-balancer-controller\/target-group-binding\/kinds binding-/],
  [
    'Configurations of the AWS Load Balancer Controller',
    /^controllers\/aws-load-balancer-controller\/target-group-binding\/kinds/,
  ],
  ['Gateway API', /^gateway\//],
  ['Installations of the AWS Load Balancer Controller', /^installations\/aws-load-balancer-controller/],
  ['Installations of the AWS cloud controller manager', /^installations\/aws-cloud-controller-manager/],
  ['Installations of the Strimzi operator', /^installations\/strimzi/],
  ['Configuration of MetalLB', /^installations\/metal-?lb/],
  ['All installations', /^installations\//],
  ['Azure Service Operator', /^identity\/azure/],
  ['Config Connector', /^identity\/gcp/],
  ['Identities', /^identity\//],
  ['Load balancers of vendors', /^controllers\/vendors/],
  ['Admission policies for load balancers', /^policies\//],
  ['Ports of shared load balancers', /^tenancy\/ports/],
  ['Engines of shared load balancers', /^tenancy\/engines/],
  ['Quotas, policies and permissions of tenants', /^tenancy\/guard/],
  ['Manifests of tenants', /^tenancy\/manifests/],
  ['Shared Services at run time', /^tenancy\/runtime/],
  ['Shared load balancers and their tenants', /^tenancy\//],
  ['Alerts', /^alerts\//],
];

/** Every rule of the library by the title of its section, with the rules of each controller in a section of its own. */
export function ruleSections(
  kinds: readonly ControllerDefinition[],
): readonly (readonly [title: string, rules: readonly DescribedRule[]])[] {
  const ofKinds = new Set(kinds.flatMap((kind) => rulesOf(kind).map(({ id }) => id)));
  const others = collectedRules().filter(
    ({ rule, path }) => !(path.startsWith('controllers/') && ofKinds.has(rule.id)),
  );
  return [...sectionsOf(others), ...kinds.map((kind) => [kind.name, rulesOf(kind)] as const)];
}

/** The page of all rules: a line for each, which starts with a place to link to. */
export function rulesPage(kinds: readonly ControllerDefinition[]): string {
  const seen = new Set<string>();
  return page(
    '# Rules',
    'Rules read finished manifests from any source. A rule without a mark is an error: it stops the synth and fails a check. A warning is reported once; [acknowledge](../how-to/test-and-ci.md#deal-with-warnings) it by its id. `cdk8s-load-balancers explain RULE` prints the reason, a bad and a good example, and the source.',
    ...ruleSections(kinds).map(([title, rules]) => section(title, rules, seen)),
  );
}

/** The ids that the page of rules lists; the page of an older version has them in tables. */
export function ruleIdsOf(rulesPageText: string): string[] {
  return [...new Set([...rulesPageText.matchAll(/^(?:\| |- (?:<a .*><\/a>)?)`([^`]+)`/gm)].map(([, id]) => id))].sort();
}

/** What a controller reports: of finished Services, and in its plans. */
function rulesOf({ rules, reports = [] }: ControllerDefinition): readonly DescribedRule[] {
  return [...rules, ...reports];
}

function sectionsOf(placed: readonly PlacedRule[]): Map<string, DescribedRule[]> {
  const sections = new Map(SECTIONS.map(([title]) => [title, new Map<string, DescribedRule>()]));
  for (const { rule, path } of placed) {
    const title = SECTIONS.find(([, modules]) => modules.test(`${path} ${rule.id}`))?.[0];
    const rules = title === undefined ? undefined : sections.get(title);
    if (title === undefined || rules === undefined) {
      throw new Error(`no section of the reference has the rules of ${path}; add one to SECTIONS`);
    }
    // lists are made of others, whose rules get the source of the list
    const same = `${rule.id} ${rule.severity} ${rule.says}`;
    sections.set(title, rules.get(same)?.source ? rules : rules.set(same, rule));
  }
  return new Map(
    [...sections].filter(([, rules]) => rules.size > 0).map(([title, rules]) => [title, [...rules.values()]]),
  );
}

function section(title: string, rules: readonly DescribedRule[], seen: Set<string>): string {
  const lines = rules.map(({ id, severity = 'error', says, ...rule }) => {
    const level = 'levelInFiles' in rule && rule.levelInFiles === 'note' ? `${severity}; note in files` : severity;
    const anchor = seen.has(id) ? '' : `<a id="${id}"></a>`;
    seen.add(id);
    return `- ${anchor}${code(id)}: ${prose(says)}${severity === 'error' ? '' : ` (${level})`}`;
  });
  return `## ${title}\n\n${lines.join('\n') || 'It has no rules.'}`;
}

/** Where a rule was read, as text. */
export function sourceOf({ source: read }: DescribedRule): string {
  return typeof read === 'string' ? `${OWN_NAME}, ${read}` : read ? source(read) : '–';
}
