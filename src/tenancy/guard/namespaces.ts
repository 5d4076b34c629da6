import { Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import { dnsLabelFault, labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { perApp } from '../../contract/per-app';
import { refuse } from '../fault';
import { NAMESPACE_LABELS, NO_NAMESPACE } from './rules';

/** The selector of the namespaces of tenants. An empty one would select all, those of the system among them. */
export function namespaceSelector(host: IConstruct, labels: { readonly [key: string]: string }): Json {
  const entries = Object.entries(labels);
  if (entries.length === 0) {
    refuse(host, {
      rule: NAMESPACE_LABELS,
      what: 'namespaceLabels is empty, which selects every namespace, kube-system among them',
      remedy: 'name a label that the namespaces of tenants have, and they alone',
    });
  }
  for (const [key, value] of entries) {
    const fault = labelKeyFault(key) ?? labelValueFault(value);
    if (fault) {
      refuse(host, {
        rule: NAMESPACE_LABELS,
        what: `namespaceLabels: ${fault}`,
        remedy: 'write a label of namespaces',
      });
    }
  }
  return { matchLabels: Object.fromEntries(entries) };
}

/** Namespaces by name, or that of the chart. */
export function namespacesOf(host: Construct, said: readonly string[] | undefined): readonly string[] {
  const { namespace } = Chart.of(host);
  const names = said ?? (namespace === undefined ? [] : [namespace]);
  if (names.length === 0) {
    refuse(host, { rule: NO_NAMESPACE, what: 'there is no namespace', remedy: 'name some, or give the chart one' });
  }
  const fault = names.map(dnsLabelFault).find((one) => one);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (fault || twice !== undefined) {
    refuse(host, {
      rule: NO_NAMESPACE,
      what: fault ?? `namespace '${twice}' is named twice`,
      remedy: 'name each namespace once, as it is called',
    });
  }
  return names;
}

/** Namespaces of tenants, as a guard selects them. */
export interface GuardedNamespaces {
  readonly path: string;
  readonly labels: { readonly [key: string]: string };
}

const guardedIn = perApp((): GuardedNamespaces[] => []);

/** Remembers which namespaces a guard is for. */
export function rememberGuarded(guard: IConstruct, labels: { readonly [key: string]: string }): void {
  guardedIn(guard).push({ path: guard.node.path, labels });
}

/** The guards of an app, as far as they are made. */
export function guardsBeside(construct: IConstruct): readonly GuardedNamespaces[] {
  return [...guardedIn(construct)];
}

/** Whether two selectors select the same namespaces. */
export function sameLabels(
  one: { readonly [key: string]: string },
  other: { readonly [key: string]: string },
): boolean {
  const text = (labels: { readonly [key: string]: string }) => JSON.stringify(Object.entries(labels).sort());
  return text(one) === text(other);
}
