import { shown } from '../contract/json';
import {
  dnsLabelFault,
  dnsNameFault,
  type Fault,
  labelKeyFault,
  labelValueFault,
  portFault,
  portNameFault,
  serviceNameFault,
} from '../contract/kubernetes-syntax';
import { rulesOf } from '../tenancy/fault';
import type { ScrapeTarget } from './alert-rules';
import { ALERTS_RULE_ROWS, BALANCER_LABEL, CONTROLLER_LABEL, PROMETHEUS_LABEL } from './alerts.facts';
import type { LoadBalancerAlertsProps, LoadBalancerAlertThresholds } from './options';

export const ALERTS_RULES = rulesOf(ALERTS_RULE_ROWS);

/** @throws with the first sentence of those by rule */
export function refuseFirst(path: string, sentences: { readonly [Id in keyof typeof ALERTS_RULES]?: string }): void {
  const [first] = Object.entries(sentences).filter(([, sentence]) => sentence);
  if (first) {
    const [ruleId, sentence] = first;
    throw new Error(`[${path}] LoadBalancerAlerts: ${sentence} (${ruleId})`);
  }
}

export const DEFAULTS: Readonly<Record<Exclude<keyof LoadBalancerAlertThresholds, 'tenantTraffic'>, number>> = {
  pendingMinutes: 15,
  terminatingMinutes: 30,
  withoutEndpointsMinutes: 5,
  quotaPercent: 80,
  failuresPerHour: 3,
  downMinutes: 10,
  targetsMinutes: 15,
  poolPercent: 80,
  certificateDays: 21,
  tenantPercent: 50,
  tenantConnections: 100,
  tenantMinutes: 10,
};

const MOST_MINUTES = 7 * 24 * 60;

export function thresholdFault({ thresholds = {}, intervalSeconds }: LoadBalancerAlertsProps): string | undefined {
  const { tenantTraffic: _, ...numbers } = thresholds;
  const given: [string, number | undefined, number][] = [
    ...Object.entries(numbers).map(([name, value]): [string, number | undefined, number] => [
      `thresholds.${name}`,
      value,
      /Percent$/.test(name) ? 100 : /Minutes$/.test(name) ? MOST_MINUTES : 100_000,
    ]),
    ['intervalSeconds', intervalSeconds, 300],
  ];
  const wrong = given.find(
    ([, value, most]) => value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= most),
  );
  return (
    wrong && `${wrong[0]} is ${shown(wrong[1])}, not a whole number from 1 to ${wrong[2]}; write one, or leave it out`
  );
}

export function nameFault(
  name: string,
  { namespace, monitors }: LoadBalancerAlertsProps,
  targets: readonly ScrapeTarget[],
): Fault {
  const hasService = ({ isGuarded }: ScrapeTarget) => isGuarded && monitors !== false;
  const faults = [
    dnsNameFault(name),
    typeof namespace === 'string' && dnsLabelFault(namespace) && `namespace ${dnsLabelFault(namespace)}`,
    ...targets.map((target) => dnsNameFault(target.name)),
    ...targets.filter(hasService).map((target) => serviceNameFault(`${name}-${target.name}`)),
  ];
  return faults.find((fault) => typeof fault === 'string') || undefined;
}

const OWN_LABELS: Readonly<Record<string, string>> = {
  severity: 'has no effect; set criticalSeverity and warningSeverity',
  [CONTROLLER_LABEL]: 'is set by each alert; remove it',
  [BALANCER_LABEL]: 'is set by each alert; remove it',
};

/** Faults of labels; values that are known when they are written are not checked. */
export function labelsFault({ labels = {}, alertLabels = {} }: LoadBalancerAlertsProps): string | undefined {
  for (const name of Object.keys(alertLabels)) {
    if (Object.hasOwn(OWN_LABELS, name)) {
      return `alertLabels.${name} ${OWN_LABELS[name]}`;
    }
    if (!PROMETHEUS_LABEL.test(name)) {
      return `'${name}' is not a valid name of a label in Prometheus; use letters, digits and underscores`;
    }
  }
  const fault = labelFault(labels);
  return fault && `labels.${fault}; write one that the API server takes`;
}

export function podsFault({ name, namespace, podLabels, port }: ScrapeTarget): string | undefined {
  if (Object.keys(podLabels).length === 0) {
    return `'${name}' has no podLabels, so none of its pods, or all of the namespace, would be read; give those that they have`;
  }
  const wrong = dnsLabelFault(namespace) ?? (typeof port === 'string' ? portNameFault(port) : portFault(port));
  const label = labelFault(podLabels);
  const fault = wrong ?? (label && `podLabels.${label}`);
  return fault && `'${name}': ${fault}; write where its pods are`;
}

function labelFault(labels: Readonly<Record<string, unknown>>): string | undefined {
  return Object.entries(labels)
    .map(([key, value]) => {
      const fault = labelKeyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : undefined);
      return fault && `${key}: ${fault}`;
    })
    .find((fault) => fault !== undefined);
}
