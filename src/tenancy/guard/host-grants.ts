import type { IConstruct } from 'constructs';
import { dnsLabelFault, dnsNameFault } from '../../contract/kubernetes-syntax';
import { celTextMap, celTexts } from './cel';
import { refuse } from './refuse';

/** The host names of tenants, which may grow until synth. */
export class HostGrants {
  private readonly grants = new Map<string, string[]>();

  public constructor(private readonly host: IConstruct) {}

  /** Adds host names of a namespace. */
  public grant(namespace: string, names: readonly string[]): void {
    const fault = dnsLabelFault(namespace) ?? names.map(dnsNameFault).find((one) => one);
    if (fault) {
      refuse(this.host, {
        ruleId: 'policy-hostnames',
        what: `the host names of namespace ${namespace}: ${fault}`,
        wayOut: 'write db.example.com, or *.example.com',
      });
    }
    for (const [other, its] of this.grants) {
      const shared = other === namespace ? undefined : names.find((name) => its.some((one) => meet(one, name)));
      if (shared) {
        refuse(this.host, {
          ruleId: 'policy-hostnames-twice',
          what: `namespaces ${other} and ${namespace} may both use ${shared}`,
          wayOut: 'give each host name to one namespace',
        });
      }
    }
    this.grants.set(namespace, [...(this.grants.get(namespace) ?? []), ...names]);
  }

  /** What the namespace of a request may use. */
  public get expression(): string {
    const entries = [...this.grants]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([namespace, names]) => [namespace, celTexts([...new Set(names)].sort())] as const);
    return entries.length === 0 ? '[]' : `${celTextMap(entries)}[?request.namespace].orValue([])`;
  }
}

/** Whether two names, with or without a star, have a host in common. */
function meet(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}

function isBelow(star: string, name: string): boolean {
  return star.startsWith('*.') && name.endsWith(star.slice(1));
}

/** True for a host name, in the expression `name`, that is none of `variables.hosts`. */
export function isForeignHost(name: string): string {
  return `!variables.hosts.exists(h, ${name} == h || (h.startsWith('*.') && ${name}.endsWith(h.substring(1))))`;
}
