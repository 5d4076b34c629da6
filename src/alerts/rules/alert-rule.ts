import type { Json } from '../../contract/json';
import { DOCS } from '../alerts.facts';
import type { LoadBalancerAlert } from '../options';

/** An alert before labels and links of an installation are added. */
export interface AlertRule {
  readonly alert: LoadBalancerAlert;
  readonly expr: string;
  /** For how many minutes it must hold. */
  readonly minutes: number;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
  /** What to run first. */
  readonly command: string;
  /** The command of this library that says more, where there is one. */
  readonly explain?: string;
  /** What to do. */
  readonly remedy: string;
  /** The page, from the folder of the docs. */
  readonly page: string;
  /** Labels beside the severity. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What is written of all alerts. */
export interface AlertStyle {
  readonly criticalSeverity: string;
  readonly warningSeverity: string;
  readonly alertLabels: Readonly<Record<string, string>>;
  readonly runbooks: string;
}

/** Where the pages are, unless somewhere else. */
export const RUNBOOKS = DOCS;

/** The page of an alert that has no page of its own. */
export const OWN_PAGE = 'how-to/watch-it-run.md';

/** An alert as a PrometheusRule has it. */
export function ruleJson(rule: AlertRule, style: AlertStyle): Json {
  const { alert, expr, minutes, severity, summary, description, command, explain, remedy, page, labels } = rule;
  return {
    alert,
    expr,
    ...(minutes > 0 && { for: `${minutes}m` }),
    labels: {
      ...labels,
      ...style.alertLabels,
      severity: severity === 'critical' ? style.criticalSeverity : style.warningSeverity,
    },
    annotations: {
      summary,
      description,
      command,
      ...(explain && { explain }),
      remedy,
      runbook_url: `${style.runbooks}/${page}`,
    },
  };
}

/** A text between the quotes of a selector. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Labels as a selector has them. */
export function selector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(',');
}

/** The value of a label of an alert, in an annotation. */
export function label(name: string): string {
  return `{{ $labels.${name} }}`;
}
