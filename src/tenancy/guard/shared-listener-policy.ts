import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongValue } from '../../contract/declared-types';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { judgeProps } from '../../rules/judge-props';
import { faultOf, refuse, refuseFirst } from '../fault';
import type { PortRange } from '../ports/options';
import { GATEWAY_API } from '../tenancy.facts';
import { LISTENER_POLICIES, namespaceSelector } from './app-state';
import { tenantsAmong } from './exemptions';
import { HostGrants, PortGrants } from './grants';
import { PORTS_ANNOTATION } from './guard.facts';
import type { GuardedKind, SharedGatewayReference, SharedListenerPolicyProps } from './options';
import { deleters, reserveKinds } from './platform-policies';
import { LISTENER_SETS, ROUTES } from './policies.facts';
import { celTexts, denyPolicy, limitSize, requirePolicySupport } from './policy';
import { policyOf, variablesOf } from './policy-template';
import { GUARD } from './rules';
import type { TenancyIdentity } from './tenancy-identity';

/**
 * Where the ports are set that a tenant may listen on.
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
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props the Gateways, and who gets what
   * @throws on labels that select every namespace, ports or host names that two namespaces get, names that are made twice,
   * exemptions of all users or of an identity in a namespace that gets ports, and API servers that are too old
   */
  public constructor(scope: Construct, id: string, props: SharedListenerPolicyProps) {
    judgeProps(scope, id, 'SharedListenerPolicyProps', props);
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
      judgesHosts: props.hostnames && 'true',
      portsRemedy: this.ports.remedy,
      ofConnections: httpRoutes ? "request.resource.resource in ['tcproutes', 'tlsroutes', 'udproutes'] && " : '',
    };
    const { spans, listenerSizes } = LISTENER_SETS;
    const routes = policyOf(ROUTES, params);
    const name = props.name ?? Names.toDnsLabel(this);
    const common = { namespaceSelector: selector, exempt: [...props.exempt, ...deleters()], help };
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
    refuse(host, faultOf(GUARD['policy-gateways']));
  }
}
