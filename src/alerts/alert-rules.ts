import { selectorOf } from '../contract/annotation-codecs-lists';
import type { Json } from '../contract/json';
import { ownCommand } from '../contract/rule';
import { ALERT_FRAGMENTS, ALERT_ROWS } from './alert-rules.facts';
import { DOCS } from './alerts.facts';

/** An alert. In its texts `<name>` is a value. */
export interface AlertRow {
  readonly alert: string;
  readonly expr: string;
  readonly minutes?: number | string;
  readonly severity: string;
  readonly summary: string;
  readonly description: string;
  readonly command: string;
  readonly explain?: string;
  readonly remedy: string;
  readonly page?: string;
  /** True if the labels of what is watched are not on the alert, which is about a Service. */
  readonly isOfService?: boolean;
}

export type AlertValues = Readonly<Record<string, string | number>>;

export interface ScrapeTarget {
  /** The end of the names of the monitor and its objects. */
  readonly name: string;
  readonly namespace: string;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly port: string | number;
  readonly path: string;
  /** True if it speaks TLS and asks for a token that the API server knows. */
  readonly isGuarded: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

export interface ScrapedTarget {
  readonly target: ScrapeTarget;
  readonly alerts: readonly string[];
  readonly values: AlertValues;
}

export interface AlertStyle {
  readonly criticalSeverity: string;
  readonly warningSeverity: string;
  readonly alertLabels: Readonly<Record<string, string>>;
  readonly runbooks: string;
}

export const RUNBOOKS = DOCS;

const OWN_PAGE = 'how-to/watch-it-run.md';

export function ruleJson(id: string, values: AlertValues, style: AlertStyle, watched?: ScrapeTarget): Json {
  const { alert, expr, minutes = 0, severity, explain, page = OWN_PAGE, isOfService, ...texts } = ALERT_ROWS[id];
  const { summary, description, command, remedy } = texts;
  const text = (template: string): string =>
    template.replace(/<(\w+)>/g, (_, name) => (name in values ? String(values[name]) : text(ALERT_FRAGMENTS[name])));
  const duration = text(String(minutes));
  return {
    alert,
    expr: text(expr),
    ...(duration !== '0' && { for: `${duration}m` }),
    labels: {
      ...(!isOfService && watched?.labels),
      ...style.alertLabels,
      severity: severity === 'critical' ? style.criticalSeverity : style.warningSeverity,
    },
    annotations: {
      summary: text(summary),
      description: text(description),
      command: text(command),
      ...(explain && {
        explain: `kubectl get services,events --all-namespaces -o yaml | ${ownCommand(text(explain))}`,
      }),
      remedy: text(remedy),
      runbook_url: `${style.runbooks}/${page}`,
    },
  };
}

export function valuesOf({ name, namespace, podLabels, labels }: ScrapeTarget): AlertValues {
  return {
    target: name,
    namespace,
    balancer: Object.values(labels)[0],
    selector: selector(labels),
    podSelector: selectorOf(podLabels),
  };
}

export function selector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}
