import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { isMap, type Json, printable } from '../../contract/json';
import { removeNamespace } from '../../contract/late-rendering';
import { groupOf } from '../../rules/objects';
import type { CheckResult } from '../../rules/rule-set';
import { portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { validateProps } from '../../rules/warnings';
import { faultOf, refusal } from '../fault';
import { PORTS, remedyForOne } from '../ports/rules';
import { registryOf } from '../runtime/hook-settings';
import { balancersOf } from '../shared/attached-tenant';
import type { SharedEndpoint } from '../shared/options';
import type { TenancyRegistry, TenancySettings } from '../shared/tenancy-registry';
import { isBalancedKafka, shareKafka, TENANT_KAFKA_RULE_SET } from './kafka';
import type { TenantManifestsProps } from './options';
import { shareService } from './shared-service';
import {
  duplicateFaults,
  type FileFault,
  inOtherFiles,
  isOfCluster,
  MANIFESTS,
  readTenantFile,
  type TenantObject,
  takeIn,
  titleOf,
} from './tenant-file';
import { TENANT_OBJECT_RULE_SET, validateUnshared } from './tenant-object-rules';

/**
 * The manifests of a tenant, as its file has them, with the load balancers removed: each Service of type LoadBalancer
 * becomes one of type ClusterIP behind the shared balancer, and each listener of a Kafka that has load balancers one of
 * type cluster-ip. The file itself is never written, and all other objects stay as they are.
 *
 * The file is read as kubectl reads it. Settings without effect at a shared address, such as annotations for a cloud, are
 * removed and reported in one warning for each tenant, `sharing-drops-settings`; a finalizer without which a live balancer would stay
 * in the cloud as `sharing-orphans-balancer`. What cannot be shared fails the synth with file and line: UDP, objects of other
 * namespaces, and kinds by which a tenant could take what belongs to others.
 *
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1713/
 * @example
 * const shared = new SharedLoadBalancer(chart, 'Shared', {
 *   engine: SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb() }),
 *   namespaceLabels: { 'example.com/tenant': 'true' },
 *   portLock: 'ports.lock.json',
 * });
 * shared.addTenant('team-a');
 * const teamA = new TenantManifests(new Chart(app, 'team-a', { namespace: 'team-a' }), 'Manifests', {
 *   url: 'tenants/team-a.yaml',
 *   shared,
 * });
 * const port = teamA.endpoints[0].port;
 */
export class TenantManifests extends Construct {
  /** The objects of the file, in its order, for patches and dependencies. */
  public readonly apiObjects: ApiObject[];

  /** Address of each port of the Services of the file. */
  public readonly endpoints: SharedEndpoint[];

  /** The tenant: the namespace of all objects. */
  public readonly tenant: string;

  /**
   * Takes the manifests of a tenant in.
   *
   * @param props which file, and what is shared
   * @throws with all that is wrong with the file: when it is missing, no YAML, or not rendered; when it holds nothing to
   * share, an object twice, also in another file of the tenant, a Service with more ports than a balancer, one of another namespace, or one of a kind that belongs to the platform; and when the tenant
   * is unknown
   */
  public constructor(scope: Construct, id: string, props: TenantManifestsProps) {
    validateProps(scope, id, 'TenantManifestsProps', props);
    super(scope, id);
    const { shared, url, keepType, kafka: options } = props;
    const { objects, faults } = readTenantFile(url);
    this.refuse(sentencesOf(faults));
    this.tenant = props.tenant ?? Chart.of(this).namespace ?? this.onlyNamespace(objects, url);
    const { tenant } = this;
    const registry = registryOf(shared);
    const { dangerous, readsFromServices } = registry.settings.engine.isolation;
    const context = { tenant, dangerous, readsFromServices, gateways: closedGateways(registry) };
    const ground = { tenant, shared, registry, options };
    this.refuse([
      ...sentencesOf(duplicateFaults(objects, tenant)),
      ...objects.flatMap(({ json, place }) => inFile(place, TENANT_OBJECT_RULE_SET.check(json, context))),
      ...sentencesOf(inOtherFiles(objects, tenant, registry)),
      ...sentencesOf(objects.flatMap((object) => tooManyPorts(object, registry.settings))),
      ...objects.flatMap(({ json, place }) => inFile(place, TENANT_KAFKA_RULE_SET.check(json, ground))),
      ...sentencesOf(nothingToShare(objects, url)),
    ]);
    takeIn(objects, tenant, registry, this.node.path);
    this.apiObjects = objects.map(({ json }) => this.make(json));
    this.endpoints = objects.flatMap(({ json, place }, i) => {
      const object = this.apiObjects[i];
      if (wantsLoadBalancer(json)) {
        return shareService(this, object, { place, tenant, shared, keepType: keepType === true });
      }
      if (isBalancedKafka(json)) {
        return shareKafka(this, object, place, ground);
      }
      validateUnshared(this, object, { json, place }, objects);
      return [];
    });
  }

  private make(json: Json): ApiObject {
    const { apiVersion, kind, metadata } = json;
    const isOutside = isOfCluster(json);
    const namespace = isOutside ? undefined : (metadata.namespace ?? this.tenant);
    const plain = [metadata.name, kind.toLowerCase(), metadata.namespace].filter(Boolean).join('-');
    const id = this.node.tryFindChild(plain) ? `${plain}-${groupOf(json)}` : plain;
    const object = new ApiObject(this, id, { ...json, apiVersion, kind, metadata: { ...metadata, namespace } });
    return isOutside ? removeNamespace(object) : object;
  }

  private onlyNamespace(objects: readonly TenantObject[], url: string): string {
    const named = [...new Set(objects.flatMap(({ json }) => json.metadata.namespace ?? []))];
    if (named.length === 1) {
      return named[0];
    }
    const what =
      named.length === 0
        ? 'no object has a namespace, and neither has the chart'
        : `the objects are of several namespaces: ${named.join(', ')}`;
    throw refusal(this.node.path, faultOf(MANIFESTS.namespaceUnknown, { url, what }));
  }

  private refuse(sentences: readonly string[]): void {
    if (sentences.length > 0) {
      throw new Error(`${this.node.path}: ${[...new Set(sentences.map(printable))].join('\n')}`);
    }
  }
}

function closedGateways({ settings }: TenancyRegistry): string[] {
  const { engine, lock, name: balancerName, namespace } = settings;
  const { existing, isolation } = engine;
  const made = balancersOf({ balancerName, namespace }, Math.max(1, lock.balancers(balancerName)));
  const gateways = existing ? [existing] : made;
  return isolation.httpRoutes ? [] : gateways.map((gateway) => `${gateway.namespace ?? 'default'}/${gateway.name}`);
}

function inFile(place: string, { errors }: CheckResult): string[] {
  return errors.map(({ ruleId, what, remedy }) => `${place}: ${what}; ${remedy} (${ruleId})`);
}

function sentencesOf(faults: readonly FileFault[]): string[] {
  return faults.map(({ place, ...fault }) => refusal(place, fault).message);
}

function nothingToShare(objects: readonly TenantObject[], url: string): FileFault[] {
  if (objects.some(({ json }) => wantsLoadBalancer(json) || isBalancedKafka(json))) {
    return [];
  }
  const named = objects.filter(({ json }) => json.kind === 'Service');
  const services = named.filter(({ json }) => json.apiVersion === 'v1');
  const others = named.filter(({ json }) => json.apiVersion !== 'v1');
  const types = services.map(
    ({ json }) => `${json.metadata.name} of type ${isMap(json.spec) ? (json.spec.type ?? 'ClusterIP') : 'ClusterIP'}`,
  );
  const seen =
    objects.length === 0
      ? 'it holds no object'
      : types.length === 0
        ? [
            'it holds no Service of v1',
            ...others.map(({ json }) => `${json.metadata.name} is one of ${json.apiVersion}`),
          ].join(', and ')
        : `it holds ${types.join(', ')}`;
  return [{ ...faultOf(MANIFESTS['tenant-file-without-services'], { seen }), place: url }];
}

function tooManyPorts({ json, place }: TenantObject, { engine, conflict }: TenancySettings): FileFault[] {
  const ports = wantsLoadBalancer(json) ? new Set(portsOf(json).map(({ port }) => port)).size : 0;
  const what = `${titleOf(json)} has ${ports} ports, which stay together, and one balancer of ${engine.name} carries ${engine.ports.perBalancer}`;
  const remedy = remedyForOne({ conflict, maxBalancers: engine.ports.balancers });
  return ports > engine.ports.perBalancer ? [{ rule: PORTS['too-many-ports'], place, what, remedy }] : [];
}
