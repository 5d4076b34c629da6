import type { IConstruct } from 'constructs';
import { dnsLabelFault, dnsNameFault, labelKeyFault } from '../../contract/kubernetes-syntax';
import { faultOf, refuse, refuseFirst } from '../fault';
import type { PortRange } from '../ports/options';
import { type CelVariable, celText, celTexts, lookup } from './policy';
import { GUARD, portRangeFault } from './rules';
import type { TenantPorts } from './shared-listener-policy';

export class PortGrants {
  private readonly grants: Grant[] = [];
  private readonly holders = new Map<number, Grant[]>();
  private readonly annotation?: string;

  public constructor(
    private readonly host: IConstruct,
    { _ports, _annotation }: TenantPorts,
  ) {
    this.annotation = _annotation;
    const fault = _annotation === undefined ? undefined : labelKeyFault(_annotation);
    if (fault) {
      refuse(host, faultOf(GUARD['policy-ports'], { fault }));
    }
    for (const [namespace, ports] of Object.entries(_ports)) {
      this.grant(namespace, ports);
    }
  }

  public grant(namespace: string, ports: readonly PortRange[], gateway?: string): void {
    const wrong = dnsLabelFault(namespace);
    refuseFirst(this.host, [
      this.annotation === undefined
        ? undefined
        : faultOf(GUARD.thePortsOfNamespace, {
            namespace,
            annotation: this.annotation,
          }),
      wrong ? faultOf(GUARD.noNamespace, { wrong }) : undefined,
      ...ports.map((range) => portRangeFault(`the ports of namespace ${namespace}`, range)),
    ]);
    refuseFirst(
      this.host,
      ports.map((range) => this.overlap(namespace, range, gateway)),
    );
    const grant = { namespace, ports, gateway };
    this.grants.push(grant);
    for (const { first, last } of ports) {
      for (let port = first; port <= last; port++) {
        this.holders.set(port, [...(this.holders.get(port) ?? []), grant]);
      }
    }
  }

  /** The ports of the namespace of a request, as the text of the annotation would have them: `variables.granted` is the last. */
  public get variables(): CelVariable[] {
    if (this.annotation !== undefined) {
      return [
        {
          name: GRANTED,
          expression: `namespaceObject.metadata.?annotations[?${celText(this.annotation)}].orValue('')`,
        },
      ];
    }
    const anywhere = this.entries((grant) => grant.gateway === undefined);
    const atOne = this.entries((grant) => grant.gateway !== undefined);
    const none = "''";
    const atGateway = { key: `${PARENT} + ' ' + ${NAMESPACE}`, none };
    if (anywhere.length === 0) {
      return lookup({ name: GRANTED, entries: atOne, ...atGateway });
    }
    return atOne.length === 0
      ? lookup({ name: GRANTED, entries: anywhere, key: NAMESPACE, none })
      : [
          ...lookup({ name: 'anywhere', entries: anywhere, key: NAMESPACE, none }),
          ...lookup({ name: 'atGateway', entries: atOne, ...atGateway }),
          { name: GRANTED, expression: "[variables.anywhere, variables.atGateway].filter(s, s != '').join(',')" },
        ];
  }

  private entries(which: (grant: Grant) => boolean): [key: string, ports: string][] {
    const ports = new Map<string, PortRange[]>();
    for (const { namespace, gateway, ports: added } of this.grants.filter(which)) {
      const place = gateway === undefined ? namespace : `${gateway} ${namespace}`;
      ports.set(place, [...(ports.get(place) ?? []), ...added]);
    }
    return [...ports].map(([place, its]) => [place, celText(textOf(its))]);
  }

  public get remedy(): string {
    return this.annotation === undefined
      ? 'ask the platform for ports'
      : `ask the platform for ports, which stand in the annotation ${this.annotation} of the namespace`;
  }

  private overlap(namespace: string, { first, last }: PortRange, gateway?: string) {
    for (let port = first; port <= last; port++) {
      const other = this.holders.get(port)?.find((grant) => !areApart(grant, namespace, gateway));
      if (other) {
        return faultOf(GUARD['policy-ports-twice'], { namespace: other.namespace, namespace2: namespace, port });
      }
    }
    return undefined;
  }
}

interface Grant {
  readonly namespace: string;
  readonly ports: readonly PortRange[];
  readonly gateway?: string;
}

function areApart(grant: Grant, namespace: string, gateway: string | undefined): boolean {
  return (
    grant.namespace === namespace || (grant.gateway !== undefined && gateway !== undefined && grant.gateway !== gateway)
  );
}

const GRANTED = 'granted';
const NAMESPACE = 'object.metadata.namespace';
const PARENT = "object.spec.parentRef.?namespace.orValue(object.metadata.namespace) + '/' + object.spec.parentRef.name";

function textOf(ports: readonly PortRange[]): string {
  const joined: { first: number; last: number }[] = [];
  for (const { first, last } of [...ports].sort((one, other) => one.first - other.first)) {
    const before = joined.at(-1);
    if (before && first <= before.last + 1) {
      before.last = Math.max(before.last, last);
    } else {
      joined.push({ first, last });
    }
  }
  return joined.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

export class HostGrants {
  private readonly grants = new Map<string, string[]>();
  private readonly holders = new Map<string, Set<string>>();
  private readonly holdersBelow = new Map<string, Set<string>>();

  public constructor(private readonly host: IConstruct) {}

  public grant(namespace: string, names: readonly string[]): void {
    const fault = dnsLabelFault(namespace) ?? names.map(dnsNameFault).find((one) => one);
    if (fault) {
      refuse(this.host, faultOf(GUARD['policy-hostnames'], { namespace, fault }));
    }
    for (const name of names) {
      const other = this.holderOf(name, namespace);
      if (other !== undefined) {
        refuse(
          this.host,
          faultOf(GUARD.namespacesAndMayBoth, {
            other,
            namespace,
            name,
          }),
        );
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

  /** What the namespace of a request may use: `variables.hosts` is the last. */
  public get variables(): CelVariable[] {
    const entries = [...this.grants].map(
      ([namespace, names]) => [namespace, celTexts([...new Set(names)].sort())] as const,
    );
    return lookup({ name: 'hosts', entries, key: 'request.namespace', none: '[]' });
  }
}

function domainsOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
}

function remember(map: Map<string, Set<string>>, key: string, namespace: string): void {
  const set = map.get(key) ?? new Set();
  map.set(key, set.add(namespace));
}
