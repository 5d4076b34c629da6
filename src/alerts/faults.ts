import type { DescribedRule } from '../contract/rule';
import type { LoadBalancerAlertsProps, LoadBalancerAlertThresholds } from './options';

const SAYS = {
  'alert-threshold': 'a threshold of an alert is a whole number that can be met',
  'alert-name': 'alerts and what they watch have names that objects may have',
  'alert-name-twice': 'alerts, and what they watch, have names of their own in an app',
  'alert-kubernetes': 'the API server has the policy by which it counts Services without a finalizer',
} as const;

type AlertsRule = keyof typeof SAYS;

/** The rules that alerts are refused by. */
export const ALERTS_RULES = Object.fromEntries(
  (Object.keys(SAYS) as AlertsRule[]).map((id) => [id, { id, severity: 'error', says: SAYS[id], source: 'ours' }]),
) as Readonly<Record<AlertsRule, DescribedRule>>;

/** The error of a construct that a rule refuses. */
export function refusal(path: string, ruleId: AlertsRule, sentence: string): Error {
  return new Error(`[${path}] LoadBalancerAlerts: ${sentence} (${ALERTS_RULES[ruleId].id})`);
}

/** Thresholds as they hold, in whole numbers. */
export type Thresholds = Readonly<Record<Exclude<keyof LoadBalancerAlertThresholds, 'tenantTraffic'>, number>>;

export const DEFAULTS: Thresholds = {
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

function mostOf(name: string): number {
  return /Percent$/.test(name) ? 100 : /Minutes$/.test(name) ? MOST_MINUTES : 100_000;
}

/** What is wrong with thresholds and with how often metrics are read. */
export function thresholdFault({ thresholds = {}, intervalSeconds }: LoadBalancerAlertsProps): string | undefined {
  const { tenantTraffic: _, ...numbers } = thresholds;
  const given: [string, number | undefined, number][] = [
    ...Object.entries(numbers).map(([name, value]): [string, number | undefined, number] => [
      `thresholds.${name}`,
      value,
      mostOf(name),
    ]),
    ['intervalSeconds', intervalSeconds, 300],
  ];
  const wrong = given.find(
    ([, value, most]) => value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= most),
  );
  return wrong && `${wrong[0]} is ${wrong[1]}, not a whole number from 1 to ${wrong[2]}; write one, or leave it out`;
}
