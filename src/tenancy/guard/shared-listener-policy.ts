import { type ApiObject, Names } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { refuseWrongValue } from '../../contract/declared-types';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { dnsLabelFault, dnsNameFault, labelKeyFault } from '../../contract/kubernetes-syntax';
import { validateProps } from '../../rules/warnings';
import { faultOf, refuse, refuseFirst } from '../fault';
import type { PortRange } from '../ports/options';
import { GATEWAY_API } from '../tenancy.facts';
import { PORTS_ANNOTATION } from './guard.facts';
import type { SharedListenerPolicyProps } from './guard.options';
import type { GuardedKind, SharedGatewayReference } from './options';
import { deletingIdentities, reserveKinds } from './platform-policies';
import { LISTENER_SETS, ROUTES } from './policies.facts';
import { type CelVariable, celText, celTexts, denyPolicy, limitSize, lookup, requirePolicySupport } from './policy';
import { policyOf, variablesOf } from './policy-template';
import { GUARD, LISTENER_POLICIES, namespaceSelector, portRangeFault, tenantsAmong } from './rules';
import type { TenancyIdentity } from './tenancy-identity';

/**
 * Source of the ports that a tenant may listen on.
 */
export class TenantPorts {
  /**
   * In the policy itself: only an identity that writes policies can change it. A namespace that is not named gets no port.
   *
   * @param ports ports by namespace; no two namespaces share one
   */
  public static perNamespace(ports: { [namespace: string]: PortRange[] } = {}): TenantPorts {
    return new TenantPorts(ports);
  }

  /**
   * In an annotation of each namespace, such as `20000-20009,30017`, so that a tenant is added without touching the policy. A namespace
   * without it, or with an unreadable one, gets no port. Namespaces are not compared, and an identity that can annotate a namespace
   * gives it ports.
   *
   * @param key the key of the annotation, where it is another than `cdk8s-load-balancers/ports`
   */
  public static byAnnotation(key: string = PORTS_ANNOTATION): TenantPorts {
    return new TenantPorts({}, key);
  }

  private constructor(
    /** @internal */
    public readonly _ports: { readonly [namespace: string]: readonly PortRange[] },
    /** @internal */
    public readonly _annotation?: string,
  ) {}
}

const TOO_MANY_TENANTS =
  'give the namespaces of some tenants another label and another policy, or the ports by TenantPorts.byAnnotation()';

const GATEWAYS: GuardedKind = { group: GATEWAY_API.group, resource: 'gateways' };

/**
 * Policies between tenants who share a Gateway (ValidatingAdmissionPolicy): ListenerSets attach to the shared Gateways alone, with ports,
 * protocols and host names of their namespace; routes attach to listeners of their own namespace and lead to its Services;
 * Gateways and other kinds through which one tenant reaches another stay with the platform.
 *
 * It checks changes, so that what was there before stays. The first requests after its creation slip through, for about a second.
 */
export class SharedListenerPolicy extends Construct {
  /** The policy for ListenerSets, for patches and dependencies. */
  public readonly listenerSetPolicy: ApiObject;

  /** The policy for routes. */
  public readonly routePolicy: ApiObject;

  /** The policy for kinds that are not the tenants'. */
  public readonly kindPolicy: ApiObject;

  private readonly exempt: readonly TenancyIdentity[];
  private readonly ports: PortGrants;
  private readonly hosts: HostGrants;

  /**
   * Policies between tenants who share a Gateway.
   *
   * @param props the Gateways, and who gets what
   * @throws on labels that select every namespace, ports or host names that two namespaces get, names that are made twice,
   * exemptions of all users or of an identity in a namespace that gets ports, and API servers that are too old
   */
  public constructor(scope: Construct, id: string, props: SharedListenerPolicyProps) {
    validateProps(scope, id, 'SharedListenerPolicyProps', props);
    super(scope, id);
    const { gateways, help, protocols = ['TCP', 'TLS'], guardedKinds = [] } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    requirePolicySupport(this, props.kubernetes ?? DEFAULT_KUBERNETES, help);
    mustNameGateways(this, gateways);
    if (props.sharedTlsPorts && props.hostnames === undefined) {
      refuse(
        this,
        faultOf(GUARD.portsAreSharedBy, {
          sharedTlsPorts: props.sharedTlsPorts.join(', '),
        }),
      );
    }
    LISTENER_POLICIES.add(this);
    this.exempt = props.exempt;
    refuseFirst(this, [
      tenantsAmong(props.exempt, [...Object.keys(props.ports._ports), ...Object.keys(props.hostnames ?? {})]),
    ]);
    this.ports = new PortGrants(this, props.ports);
    this.hosts = new HostGrants(this);
    for (const [namespace, names] of Object.entries(props.hostnames ?? {})) {
      this.grantHostnames(namespace, names);
    }
    const { sharedTlsPorts = [], httpRoutes } = props;
    const names = gateways.map((gateway) => `${gateway.namespace}/${gateway.name}`);
    const params = {
      gateways: celTexts(names),
      gatewayNames: names.join(' or '),
      protocols: celTexts(protocols),
      protocolNames: protocols.join(' or '),
      tlsTermination: props.tlsTermination ? 'true' : undefined,
      sharedTls:
        sharedTlsPorts.length === 0 ? '' : ` && !(l.protocol == 'TLS' && l.port in [${sharedTlsPorts.join(', ')}])`,
      checksHosts: props.hostnames && 'true',
      portsRemedy: this.ports.remedy,
      ofConnections: httpRoutes ? "request.resource.resource in ['tcproutes', 'tlsroutes', 'udproutes'] && " : '',
    };
    const { spans, listenerSizes } = LISTENER_SETS;
    const routes = policyOf(ROUTES, params);
    const name = props.name ?? Names.toDnsLabel(this);
    const common = { namespaceSelector: selector, exempt: [...props.exempt, ...deletingIdentities()], help };
    this.listenerSetPolicy = denyPolicy(this, 'ListenerSets', {
      ...common,
      ...policyOf(LISTENER_SETS, params),
      name,
      variables: () => [
        ...this.ports.variables,
        ...variablesOf({ spans }),
        ...this.hosts.variables,
        ...variablesOf({ listenerSizes }),
      ],
    });
    this.routePolicy = denyPolicy(this, 'Routes', {
      ...common,
      ...routes,
      name: `${name}-routes`,
      variables: () => [...routes.variables, ...this.hosts.variables],
    });
    for (const policy of [this.listenerSetPolicy, this.routePolicy]) {
      limitSize(this, policy, TOO_MANY_TENANTS);
    }
    this.kindPolicy = reserveKinds(this, {
      name: `${name}-kinds`,
      namespaceSelector: selector,
      help,
      kinds: [GATEWAYS, ...guardedKinds],
      exempt: props.exempt,
    });
  }

  /**
   * Gives a namespace more ports.
   *
   * @param tenant the namespace of a tenant
   * @param ports the ports; no other namespace has one of them there
   * @param gateways the Gateways where it gets them; at all of them without
   * @throws when another namespace has one of them, an exempt identity lives there, the list of Gateways is empty, or ports
   * are in annotations
   */
  public grantPorts(tenant: string, ports: PortRange[], gateways?: SharedGatewayReference[]): void {
    if (gateways !== undefined) {
      refuseWrongValue(this.node.path, 'gateways', 'SharedGatewayReference[]', gateways);
      mustNameGateways(this, gateways);
    }
    refuseFirst(this, [tenantsAmong(this.exempt, [tenant])]);
    for (const place of gateways?.map(({ namespace, name }) => `${namespace}/${name}`) ?? [undefined]) {
      this.ports.grant(tenant, ports, place);
    }
  }

  /**
   * Gives a namespace more host names of TLS. They are validated only where `hostnames` was set, be it empty.
   *
   * @param namespace the namespace of a tenant
   * @param names host names, `*.example.com` for all below
   * @throws when another namespace may use one of them, or an exempt identity lives there
   */
  public grantHostnames(namespace: string, names: string[]): void {
    refuseFirst(this, [tenantsAmong(this.exempt, [namespace])]);
    this.hosts.grant(namespace, names);
  }
}

function mustNameGateways(host: Construct, gateways: readonly SharedGatewayReference[]): void {
  if (gateways.length === 0) {
    refuse(host, faultOf(GUARD['policy-gateways-missing']));
  }
}

class PortGrants {
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
      refuse(host, faultOf(GUARD['policy-ports-invalid'], { fault }));
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
        return faultOf(GUARD['policy-ports-overlap'], { namespace: other.namespace, namespace2: namespace, port });
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

class HostGrants {
  private readonly grants = new Map<string, string[]>();
  private readonly holders = new Map<string, Set<string>>();
  private readonly holdersBelow = new Map<string, Set<string>>();

  public constructor(private readonly host: IConstruct) {}

  public grant(namespace: string, names: readonly string[]): void {
    const fault = dnsLabelFault(namespace) ?? names.map(dnsNameFault).find((one) => one);
    if (fault) {
      refuse(this.host, faultOf(GUARD['policy-hostnames-invalid'], { namespace, fault }));
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

  /** Variables of the namespace of a request: `variables.hosts` is the last. */
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
