import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { ServiceReport } from './service-report';

/** What was decided for every Service and why, for people. */
export function listText(reports: readonly ServiceReport[]): string {
  const blocks = reports.map((report) => {
    const name = report.namespace ? `${report.namespace}/${report.name}` : report.name;
    return [
      `${name}  (${report.file})`,
      row('owner', `${report.owner}: ${report.because}`),
      row('finalizer', `${report.finalizers.join(', ') || 'none declared'}: ${report.finalizersBecause}`),
      row('class', report.loadBalancerClass ?? 'none'),
      row('policy', `${report.policy}: ${report.policyMeans}`),
      row('nodes', report.nodes),
      ...Object.entries(report.settings)
        .filter(([wish]) => wish !== 'backendNodes')
        .map(([wish, value]) => row(wish, value)),
      ...report.errors.flatMap((finding) => findingRows('error', finding)),
      ...report.warnings.flatMap((finding) => findingRows('warning', finding)),
    ].join('\n');
  });
  return `${[...blocks, summary(reports)].join('\n\n')}\n`;
}

/** The same for programs. */
export function listJson(reports: readonly ServiceReport[]): string {
  return `${JSON.stringify(reports, undefined, 2)}\n`;
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(15)} ${value}`;
}

function findingRows(severity: string, { what, wayOut, ruleId }: LoadBalancerFinding): string[] {
  return [row(severity, `${what} (${ruleId})`), row('  way out', wayOut)];
}

function summary(reports: readonly ServiceReport[]): string {
  const errors = reports.reduce((sum, report) => sum + report.errors.length, 0);
  const warnings = reports.reduce((sum, report) => sum + report.warnings.length, 0);
  return `${count(reports.length, 'load balanced Service')}, ${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
