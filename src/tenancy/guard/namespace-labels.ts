import type { IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { refuse } from './refuse';

/** The selector of the namespaces of tenants. An empty one would select all, those of the system among them. */
export function namespaceSelector(host: IConstruct, labels: { readonly [key: string]: string }): Json {
  const entries = Object.entries(labels);
  if (entries.length === 0) {
    refuse(host, {
      ruleId: 'namespace-labels',
      what: 'namespaceLabels is empty, which selects every namespace, kube-system among them',
      remedy: 'name a label that the namespaces of tenants have, and they alone',
    });
  }
  for (const [key, value] of entries) {
    const fault = labelKeyFault(key) ?? labelValueFault(value);
    if (fault) {
      refuse(host, {
        ruleId: 'namespace-labels',
        what: `namespaceLabels: ${fault}`,
        remedy: 'write a label of namespaces',
      });
    }
  }
  return { matchLabels: Object.fromEntries(entries) };
}
