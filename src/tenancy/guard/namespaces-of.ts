import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import { refuse } from './refuse';

/** Namespaces by name, or that of the chart. */
export function namespacesOf(host: Construct, said: readonly string[] | undefined): readonly string[] {
  const { namespace } = Chart.of(host);
  const names = said ?? (namespace === undefined ? [] : [namespace]);
  if (names.length === 0) {
    refuse(host, { ruleId: 'no-namespace', what: 'there is no namespace', remedy: 'name some, or give the chart one' });
  }
  const fault = names.map(dnsLabelFault).find((one) => one);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (fault || twice !== undefined) {
    refuse(host, {
      ruleId: 'no-namespace',
      what: fault ?? `namespace '${twice}' is named twice`,
      remedy: 'name each namespace once, as it is called',
    });
  }
  return names;
}
