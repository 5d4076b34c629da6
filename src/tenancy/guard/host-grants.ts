import type { IConstruct } from 'constructs';
import { dnsLabelFault, dnsNameFault } from '../../contract/kubernetes-syntax';
import { celTextMap, celTexts } from './cel';
import { refuse } from './refuse';

/** The host names of tenants, which may grow until synth. */
export class HostGrants {
  private readonly grants = new Map<string, string[]>();
  /** Who has a name, the star in it taken literally. */
  private readonly holders = new Map<string, Set<string>>();
  /** Who has a name below a domain. */
  private readonly holdersBelow = new Map<string, Set<string>>();

  public constructor(private readonly host: IConstruct) {}

  /** Adds host names of a namespace. */
  public grant(namespace: string, names: readonly string[]): void {
    const fault = dnsLabelFault(namespace) ?? names.map(dnsNameFault).find((one) => one);
    if (fault) {
      refuse(this.host, {
        ruleId: 'policy-hostnames',
        what: `the host names of namespace ${namespace}: ${fault}`,
        remedy: 'write db.example.com, or *.example.com',
      });
    }
    for (const name of names) {
      const other = this.holderOf(name, namespace);
      if (other !== undefined) {
        refuse(this.host, {
          ruleId: 'policy-hostnames-twice',
          what: `namespaces ${other} and ${namespace} may both use ${name}`,
          remedy: 'give each host name to one namespace',
        });
      }
    }
    for (const name of names) {
      remember(this.holders, name, namespace);
      for (const domain of domainsOf(name)) {
        remember(this.holdersBelow, domain, namespace);
      }
    }
    this.grants.set(namespace, [...(this.grants.get(namespace) ?? []), ...names]);
  }

  /** Another namespace that has this name, one below it, or all in which it is. */
  private holderOf(name: string, namespace: string): string | undefined {
    const sets = [
      this.holders.get(name),
      name.startsWith('*.') ? this.holdersBelow.get(name.slice(2)) : undefined,
      ...domainsOf(name).map((domain) => this.holders.get(`*.${domain}`)),
    ];
    return sets.flatMap((set) => [...(set ?? [])]).find((other) => other !== namespace);
  }

  /** What the namespace of a request may use. */
  public get expression(): string {
    const entries = [...this.grants]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([namespace, names]) => [namespace, celTexts([...new Set(names)].sort())] as const);
    return entries.length === 0 ? '[]' : `${celTextMap(entries)}[?request.namespace].orValue([])`;
  }
}

/** The domains that a name is below. */
function domainsOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
}

function remember(map: Map<string, Set<string>>, key: string, namespace: string): void {
  const set = map.get(key) ?? new Set();
  map.set(key, set.add(namespace));
}

/** True for a host name, in the expression `name`, that is none of `variables.hosts`. */
export function isForeignHost(name: string): string {
  return `!variables.hosts.exists(h, ${name} == h || (h.startsWith('*.') && ${name}.endsWith(h.substring(1))))`;
}
