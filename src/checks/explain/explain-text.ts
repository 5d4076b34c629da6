import { printable } from '../../contract/json';
import { CONTEXT_FILE } from '../context/context-file';
import { lineOf, pageUrl } from '../formats/words';
import type { ServiceReport } from '../service-report';
import { describedRules } from './described-rules';
import type { ExplainedMaker, ExplainedService } from './explained-service';
import type { ExplainedExample, Explanation } from './explanation';
import type { LikelyCause } from './likely-causes';

const QUOTED = 15;

export function explanationText(
  { kind, word, says, parts, rules, todo, examples = [], readOn }: Explanation,
  isVerbose = false,
): string {
  const severities = rules.map(({ severity }) => severity.length);
  const width = Math.max(0, ...severities);
  return lines([
    `${kind} ${word}`,
    `  ${says}`,
    ...parts.flatMap(({ who, facts, source }) => [
      '',
      `  ${who}`,
      ...rows({ ...facts, ...((isVerbose || kind === 'rule') && { source }) }),
    ]),
    ...(rules.length > 0
      ? ['', `  what goes wrong: ${rules.length === 1 ? 'one rule' : `${rules.length} rules`}`]
      : []),
    ...(rules.length > QUOTED && !isVerbose
      ? [`    ${rules.map(({ id }) => id).join(', ')}`]
      : rules.map(({ id, severity, says: law }) => `    ${severity.padEnd(width)}  ${id}: ${law}`)),
    ...examples.flatMap(exampleText),
    ...(todo.length > 0 ? ['', '  what to do', ...todo.map((one) => `    ${one}`)] : []),
    ...(readOn.length > 0 ? ['', ...readOn.map((page) => `  read on: ${pageUrl(page)}`)] : []),
  ]);
}

function exampleText({ why, context, bad, what, line, remedy, good }: ExplainedExample): string[] {
  const linesOf = (text: string, marked?: number) =>
    text
      .trimEnd()
      .split('\n')
      .map((each, i) => `${i + 1 === marked ? '  > ' : '    '}${each}`);
  return [
    ...(why ? ['', `  ${why}`] : []),
    ...(context ? ['', `  ${CONTEXT_FILE}`, ...linesOf(context)] : []),
    ...['', '  bad', ...linesOf(bad, line), '', `  ${what}`, `  fix: ${remedy}`, '', '  good', ...linesOf(good)],
  ];
}

export function makerText(maker: ExplainedMaker, isVerbose = false): string {
  const { kind, file, line, reported, missing, causes, services } = maker;
  const head = [
    `${kind} ${pathOf(maker)}  (${lineOf(file, line)})`,
    ...reported.map((one) => `  reported   ${one}`),
    ...(missing.length > 0 ? [`  missing    ${missing.join(', ')}`] : []),
    ...causesText(causes, 'Why Services are missing, the likeliest cause first', maker, isVerbose),
  ];
  return [lines(head), ...alike(services, isVerbose)].join('\n');
}

function alike(services: readonly ExplainedService[], isVerbose: boolean): string[] {
  const groups = new Map<string, ExplainedService[]>();
  for (const service of services) {
    const text = serviceText({ ...service, name: '' }, isVerbose);
    groups.set(text, [...(groups.get(text) ?? []), service]);
  }
  return [...groups.values()].map(([first, ...others]) => {
    const more =
      others.length > 0 ? `\n  The same holds of ${others.map(({ name }) => printable(name)).join(', ')}\n` : '';
    return serviceText(first, isVerbose) + more;
  });
}

export function serviceText(service: ExplainedService, isVerbose = false): string {
  const {
    file,
    line,
    madeBy,
    state,
    owner,
    ownerSource,
    because,
    claims,
    areControllersKnown,
    context,
    report,
    writers,
    reported,
    causes,
  } = service;
  const others = areControllersKnown ? 'the controllers of this cluster' : 'all known controllers; others may run';
  const asked = [others, ...context].join('; ');
  return lines([
    `Service ${pathOf(service)}  (${madeBy ? `made later of ${madeBy}, ` : ''}${lineOf(file, line)}): ${stateInWords(service)}`,
    '',
    '  Who makes its balancer',
    row('owner', `${owner}: ${because}`),
    ...(isVerbose && ownerSource ? [row('  source', ownerSource)] : []),
    ...claims
      .map(({ controller, claimed, because: why }) => [claimed, `${controller}: ${why}`] as const)
      .filter(([, claim]) => claim !== `${owner}: ${because}`)
      .map(([claimed, claim]) => row((areControllersKnown ? CLAIMED : MIGHT_CLAIM)[claimed], claim)),
    ...(claims.length > 0 ? [row('asked', asked)] : []),
    ...(report ? ['', '  What it is', ...reportRows(report, isVerbose)] : []),
    ...(Object.keys(writers).length > 0 ? ['', '  Who wrote it', ...rows(writers)] : []),
    '',
    '  When it is deleted',
    ...(service.onDelete.length > 0 ? service.onDelete : ['it goes at once']).map((one) => `    ${one}`),
    ...(reported.length > 0 ? ['', '  What was reported', ...reported.map((one) => `    ${one}`)] : []),
    ...causesText(causes, TITLES[state] ?? '', service, isVerbose),
    ...(state === 'pending' || state === 'terminating'
      ? ['', `  read on: ${pageUrl(`docs/stuck-in-${state}.md`)}`]
      : []),
  ]);
}

const CLAIMED = { yes: 'takes it', no: 'does not', maybe: 'might' };
const MIGHT_CLAIM = { yes: 'would take it', no: 'would not', maybe: 'might' };

const TITLES: Readonly<Record<string, string>> = {
  pending: 'Why it has no address, the likeliest cause first',
  terminating: 'Why it does not go, the likeliest cause first',
};

function stateInWords({ state, address, waits, report }: ExplainedService): string {
  return {
    manifest: 'not from a cluster',
    unbalanced: 'asks for no load balancer',
    served: `has address ${address}`,
    pending: `Pending: ${waits}`,
    terminating: `Terminating${report?.deleting ? ` ${report.deleting}` : ''}`,
  }[state];
}

function reportRows(report: ServiceReport, isVerbose: boolean): string[] {
  const findings = [
    ...report.errors.map((finding) => ({ severity: 'error', ...finding })),
    ...report.warnings.map((finding) => ({ severity: 'warning', ...finding })),
    ...report.notes.map((finding) => ({ severity: 'note', ...finding })),
  ];
  return [
    row('class', report.loadBalancerClass ?? 'none'),
    row('scheme', report.scheme),
    row('finalizers', `${report.finalizers.join(', ') || 'none declared'}: ${report.finalizersBecause}`),
    row('policy', `${report.policy}: ${report.policyMeans}`),
    row('source ranges', report.sourceRanges),
    row('nodes', report.nodes),
    ...findings.flatMap(({ severity, what, remedy, ruleId }) => [
      row(severity, `${what} (${ruleId})`),
      row('  remedy', remedy),
      ...(isVerbose ? describedRules().filter(({ id }) => id === ruleId) : [])
        .slice(0, 1)
        .map(({ source }) => row('  source', source === 'ours' ? 'a rule of this library' : source)),
    ]),
  ];
}

const MOST = 4;

function causesText(
  causes: readonly LikelyCause[],
  title: string,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  isVerbose: boolean,
): string[] {
  if (causes.length === 0) {
    return [];
  }
  const reported = causes.filter(({ isReported }) => isReported);
  const likely = isVerbose ? causes : (reported.length > 0 ? reported : causes).slice(0, MOST);
  const others = causes.filter((cause) => !likely.includes(cause)).map((cause) => cause.title.toLowerCase());
  const shown = new Set<string>();
  return [
    '',
    `  ${title}`,
    ...likely.flatMap(({ title: cause, what, evidence, checks, remedy }, i) => [
      '',
      `  ${i + 1}. ${cause}`,
      `     ${what}`,
      ...evidence.map((one) => `     because  ${one}`),
      ...checks.flatMap(({ command, shows }) =>
        shown.has(command)
          ? []
          : [`     $ ${filledIn(command, namespace ?? 'default', name)}`, `       ${shown.add(command) && shows}`],
      ),
      `     remedy   ${remedy}`,
    ]),
    ...(others.length > 0 ? ['', `  Less likely: ${others.join('; ')}`] : []),
  ];
}

export function pathOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${name === '' ? '(without a name)' : name}`;
}

function rows(facts: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(facts).map((label) => label.length));
  return Object.entries(facts).map(([label, value]) => row(label, value, width));
}

function row(label: string, value: string, width = LABEL): string {
  return `    ${label.padEnd(width)}  ${value}`;
}

const LABEL = 13;

export function lines(all: readonly string[]): string {
  return `${all.map((line) => printable(line).trimEnd()).join('\n')}\n`;
}

/** What the API server takes for a name or a namespace; it means nothing else to a shell. */
const PLAIN = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/**
 * A command for one Service. A name that no API server would take stays a variable: in a file of others it may be a command of
 * its own.
 */
function filledIn(command: string, namespace: string, service: string): string {
  return withValue(withValue(command, 'NAMESPACE', namespace), 'SERVICE', service);
}

function withValue(command: string, variable: string, value: string): string {
  return PLAIN.test(value) ? command.replaceAll(`"$${variable}"`, value).replaceAll(`$${variable}`, value) : command;
}
