import { printable } from '../../contract/printable';
import type { ServiceReport } from '../service-report';
import type { ExplainedMaker } from './explained-maker';
import type { ExplainedService } from './explained-service';
import type { Explanation } from './explanation';
import type { LikelyCause } from './likely-causes';
import { filledIn } from './shell-text';

/** Above this many, rules are named and not quoted. */
const QUOTED = 15;

/** What is known of a word, for people. */
export function explanationText({ kind, word, says, parts, rules, todo, readOn }: Explanation): string {
  const severities = rules.map(({ severity }) => severity.length);
  const width = Math.max(0, ...severities);
  return lines([
    `${kind} ${word}`,
    `  ${says}`,
    ...parts.flatMap(({ who, facts, source }) => ['', `  ${who}`, ...rows(facts), row('source', source)]),
    ...(rules.length > 0
      ? ['', `  what goes wrong: ${rules.length === 1 ? 'one rule' : `${rules.length} rules`}`]
      : []),
    ...(rules.length > QUOTED
      ? [`    ${rules.map(({ id }) => id).join(', ')}`]
      : rules.map(({ id, severity, says: law }) => `    ${severity.padEnd(width)}  ${id}: ${law}`)),
    ...(todo.length > 0 ? ['', '  what to do', ...todo.map((one) => `    ${one}`)] : []),
    ...(readOn.length > 0 ? ['', `  read on: ${readOn.join(', ')}`] : []),
  ]);
}

/** What is known of an object that Services are made of, and of these. */
export function makerText(maker: ExplainedMaker): string {
  const { kind, file, line, reported, missing, causes, services } = maker;
  const head = [
    `${kind} ${pathOf(maker)}  (${file}:${line})`,
    ...reported.map((one) => `  reported   ${one}`),
    ...(missing.length > 0 ? [`  missing    ${missing.join(', ')}`] : []),
    ...causesText(causes, 'Why Services are missing, the likeliest cause first', maker),
  ];
  return [lines(head), ...services.map(serviceText)].join('\n');
}

/** What is known of a Service. */
export function serviceText(service: ExplainedService): string {
  const { file, line, madeBy, state, owner, because, claims, areControllersKnown, report, reported, causes } = service;
  const asked = areControllersKnown ? 'controllers of this cluster' : 'all known controllers, as they are by default';
  return lines([
    `Service ${pathOf(service)}  (${madeBy ? `made later of ${madeBy}, ` : ''}${file}:${line}): ${stateInWords(service)}`,
    '',
    '  Who makes its balancer',
    row('owner', `${owner}: ${because}`),
    ...claims.map(({ controller, claimed, because: why }) => row(CLAIMED[claimed], `${controller}: ${why}`)),
    ...(claims.length > 0 ? [row('asked', asked)] : []),
    ...(report ? ['', '  What it is', ...reportRows(report)] : []),
    '',
    '  When it is deleted',
    ...(service.onDelete.length > 0 ? service.onDelete : ['it goes at once']).map((one) => `    ${one}`),
    ...(reported.length > 0 ? ['', '  What was reported', ...reported.map((one) => `    ${one}`)] : []),
    ...causesText(causes, TITLES[state] ?? '', service),
    ...(state === 'pending' || state === 'terminating' ? ['', `  read on: docs/stuck-in-${state}.md`] : []),
  ]);
}

const CLAIMED = { yes: 'takes it', no: 'does not', maybe: 'might' };

const TITLES: Readonly<Record<string, string>> = {
  pending: 'Why it has no address, the likeliest cause first',
  terminating: 'Why it does not go, the likeliest cause first',
};

function stateInWords({ state, address, report }: ExplainedService): string {
  return {
    manifest: 'not from a cluster',
    unbalanced: 'asks for no load balancer',
    served: `has address ${address}`,
    pending: 'Pending: it has no address',
    terminating: `Terminating${report?.deleting ? ` ${report.deleting}` : ''}`,
  }[state];
}

function reportRows(report: ServiceReport): string[] {
  const findings = [
    ...report.errors.map((finding) => ({ severity: 'error', ...finding })),
    ...report.warnings.map((finding) => ({ severity: 'warning', ...finding })),
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
    ]),
  ];
}

function causesText(
  causes: readonly LikelyCause[],
  title: string,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): string[] {
  if (causes.length === 0) {
    return [];
  }
  return [
    '',
    `  ${title}`,
    ...causes.flatMap(({ title: cause, what, evidence, checks, remedy }, i) => [
      '',
      `  ${i + 1}. ${cause}`,
      `     ${what}`,
      ...evidence.map((one) => `     because  ${one}`),
      ...checks.flatMap(({ command, shows }) => [
        `     $ ${filledIn(command, namespace ?? 'default', name)}`,
        `       ${shows}`,
      ]),
      `     remedy   ${remedy}`,
    ]),
  ];
}

function pathOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function rows(facts: Readonly<Record<string, string>>): string[] {
  return Object.entries(facts).map(([label, value]) => row(label, value));
}

function row(label: string, value: string): string {
  return `    ${label.padEnd(LABEL)} ${value}`;
}

const LABEL = 18;

function lines(all: readonly string[]): string {
  return `${all.map((line) => printable(line).trimEnd()).join('\n')}\n`;
}
