import { Chart } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { perApp } from '../../contract/synth-run';
import { CheckResult } from '../../rules/rule-set';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import type { ProtectBalancer } from '../engines/contract/engine';
import { faultOf, refusal, refuseFirst } from '../fault';
import { guardsOfApp, LISTENER_ROLES } from '../guard/rules';
import type { SharedListenerPolicy } from '../guard/shared-listener-policy';
import { PortConflictPolicy } from '../ports/options';
import { PortLock } from '../ports/port-lock';
import { ENDPOINTS_ANNOTATION, SHARED_CLASS, TENANT_LABEL } from '../tenancy.facts';
import { balancerHostname, balancerName, balancersOf, PublishedObject } from './attached-tenant';
import type { SharedAttachment, SharedEndpoint, SharedLoadBalancerProps, SharedTenantOptions } from './options';
import { SHARED } from './rules';
import { isolationFindings, makeIsolationPolicies, TenancyRegistry, TLS_PORT } from './tenancy-registry';

/**
 * One real load balancer for the Services of many tenants: each gets ports of it, or host names, and none pays for a
 * balancer of its own.
 *
 * Ports come from a committed lock file, so that an address in use never moves: a port that is not in it fails the synth,
 * and the message names the command that adds it. What the engine cannot enforce, such as a limit of bandwidth, fails the
 * synth as well.
 *
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1713/
 * @example
 * const shared = new SharedLoadBalancer(chart, 'Shared', {
 *   engine: SharedLoadBalancerEngine.envoyGateway({
 *     controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
 *   }),
 *   namespaceLabels: { 'example.com/tenant': 'true' },
 *   hostname: 'tcp.example.com',
 *   portLock: 'ports.lock.json',
 * });
 * shared.addTenant('team-a', { maxConnections: 200 });
 */
export class SharedLoadBalancer extends Construct {
  /** The name of the balancer. */
  public readonly balancerName: string;

  /** The namespace of the balancer's own objects. */
  public readonly namespace: string;

  /** The policies between tenants, unless they are off: to grant ports and host names that tenants publish themselves. */
  public readonly isolationPolicies?: SharedListenerPolicy;

  /** The class of Services that are created at run time, or keep their type. */
  public readonly loadBalancerClass: string;

  /** The labels of the namespaces that may attach. */
  public readonly namespaceLabels: { [key: string]: string };

  private readonly registry: TenancyRegistry;
  private readonly protections: ProtectBalancer[] = [];

  /**
   * A load balancer that tenants share.
   *
   * @param props what it is
   * @throws when the lock file cannot be read, is of a newer version, was edited by hand or holds merge markers, unless the
   * command `ports` runs the app, which checks the file itself
   */
  public constructor(scope: Construct, id: string, props: SharedLoadBalancerProps) {
    validateProps(scope, id, 'SharedLoadBalancerProps', props);
    super(scope, id);
    const engine = props.engine._engine;
    this.balancerName = props.name ?? 'shared';
    this.namespace = props.namespace ?? Chart.of(this).namespace ?? 'default';
    this.loadBalancerClass = props.loadBalancerClass ?? SHARED_CLASS;
    const [guard] = guardsOfApp(this);
    this.namespaceLabels = props.namespaceLabels ?? { ...(guard?.labels ?? { [TENANT_LABEL]: 'true' }) };
    const file = props.portLock ?? DEFAULT_LOCK;
    const { existing } = engine;
    claimShared(this, this.balancerName, file, existing && `${existing.namespace ?? ''}/${existing.name}`);
    const lock = PortLock.readForApp(file);
    const balancers = Math.max(1, lock.balancers(this.balancerName));
    const gateways = existing ? [existing] : balancersOf(this, balancers);
    this.isolationPolicies = makeIsolationPolicies(this, props, engine, this.namespaceLabels, gateways);
    this.registry = new TenancyRegistry({
      path: this.node.path,
      name: this.balancerName,
      namespace: this.namespace,
      hostname: props.hostname,
      engine,
      lock,
      file,
      conflict: props.portConflict ?? PortConflictPolicy.FAIL,
      remapPorts: props.remapPorts ?? REMAP_PORTS,
      ownPort: props.ownPort ?? OWN_PORT,
      tlsPort: props.tlsPort ?? TLS_PORT,
      oneTeam: props.oneTeam === true,
      isolationPolicies: this.isolationPolicies,
      platform: props.platform,
      tenantsWriteListeners: () => LISTENER_ROLES.has(this),
      guards: () => guardsOfApp(this),
      namespaceLabels: this.namespaceLabels,
    });
    for (let i = 0; i < balancers; i++) {
      const protect = engine.makeBalancer(i === 0 ? this : new Construct(this, `Balancer${i + 1}`), {
        name: balancerName(this.balancerName, i),
        namespace: this.namespace,
        hostname: balancerHostname(props.hostname, i),
        ports: this.registry.lockedPortsAt(i),
        ownPort: props.ownPort ?? OWN_PORT,
        namespaceLabels: this.namespaceLabels,
        platform: props.platform,
      });
      this.protections.push(...(protect ? [protect] : []));
    }
    const metadata = { name: `${this.balancerName}-endpoints`, namespace: this.namespace };
    const document = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    const directory = new PublishedObject(this, 'Endpoints', { ...document, data: {} }, () => ({
      ...document,
      data: this.directory(),
    }));
    validateObject(this, directory, {
      check: () => {
        const { errors, warnings } = isolationFindings(this, this.registry);
        return CheckResult.of(errors, warnings);
      },
    });
  }

  /** Addresses of everything that is published, in the order of tenants, Services and ports. */
  public get endpoints(): SharedEndpoint[] {
    return this.registry.endpoints();
  }

  /**
   * Lets a namespace have ports.
   *
   * @param tenant the name of the namespace
   * @param options what it may have
   * @throws when it has been added already
   */
  public addTenant(tenant: string, options: SharedTenantOptions = {}): void {
    refuseWrongProps(this.node.path, 'SharedTenantOptions', options);
    this.registry.addTenant(tenant, options);
  }

  /**
   * Publishes ports of a Service of a tenant.
   *
   * @param scope where the objects of the tenant are made, best a chart of the tenant
   * @param attachment what is published
   * @returns where the ports can be reached; ports that are not in the lock file yet are there as requested,
   * and fail the synth
   * @throws when the Service is attached already
   */
  public attach(scope: Construct, attachment: SharedAttachment): SharedEndpoint[] {
    refuseWrongProps(this.node.path, 'SharedAttachment', attachment);
    return this.registry.attach(scope, attachment);
  }

  /**
   * Fails every later synth in which the balancer or its address would be lost: by a changed field, another name or namespace, or
   * because this construct is gone. Writes an annotation into what the balancer is made of. The app needs a `LoadBalancerProtection`,
   * which knows what is applied and which losses are accepted.
   *
   * @throws where the Gateway is made elsewhere
   */
  public protect(): void {
    if (this.protections.length === 0) {
      throw refusal(this.node.path, faultOf(SHARED['shared-protection-unsupported']));
    }
    for (const protect of this.protections) {
      protect();
    }
  }

  /**
   * The annotation with the addresses of the ports of a tenant's Service.
   *
   * @param endpoints the ports of one Service
   */
  public annotationsFor(endpoints: SharedEndpoint[]): { [key: string]: string } {
    const text = endpoints.map(
      ({ servicePort, hostname, balancer, port }) => `${servicePort}=${hostname ?? balancer}:${port}`,
    );
    return text.length === 0 ? {} : { [ENDPOINTS_ANNOTATION]: text.join(',') };
  }

  private directory(): Record<string, string> {
    return Object.fromEntries(
      this.endpoints.map(({ tenant, service, servicePort, hostname, port, balancer }) => [
        `${tenant}.${service}.${servicePort}`,
        `${hostname ?? balancer}:${port}${this.registry.isSuspended(tenant) ? ' (suspended)' : ''}`,
      ]),
    );
  }
}

const DEFAULT_LOCK = 'ports.lock.json';
const REMAP_PORTS = { first: 30000, last: 31999 };
const OWN_PORT = 65535;

const claimsOf = perApp((): { path: string; name: string; file: string; gateway?: string }[] => []);

function claimShared(host: IConstruct, name: string, file: string, gateway: string | undefined): void {
  const { path } = host.node;
  const claims = claimsOf(host);
  const same = claims.find((one) => one.name === name && one.file === file);
  const shared = claims.find((one) => one.gateway !== undefined && one.gateway === gateway);
  claims.push({ path, name, file, gateway });
  refuseFirst(host, [
    same && faultOf(SHARED['shared-name-duplicate'], { path: same.path, name, file }),
    shared && faultOf(SHARED['shared-gateway-duplicate'], { path: shared.path, gateway }),
  ]);
}
