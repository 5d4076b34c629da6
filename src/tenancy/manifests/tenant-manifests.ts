import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import { RenderStage, renderLate } from '../../contract/late-rendering';
import { printable } from '../../contract/printable';
import { judgeProps } from '../../rules/judge-props';
import { wantsLoadBalancer } from '../../rules/service-json';
import { isBalancedKafka, kafkaFaults, shareKafka } from '../engines/tenant-kafka';
import { bookOf } from '../runtime/hook-settings';
import type { SharedEndpoint } from '../shared/shared-endpoint';
import { judgeBystander } from './bystander-judge';
import { inOtherFiles, takeIn } from './files-of-tenant';
import { groupOf, isOfCluster } from './object-identity';
import { shareService } from './share-service';
import { type FileFault, readTenantFile, type TenantObject } from './tenant-file';
import type { TenantManifestsProps } from './tenant-manifests.options';
import { faultsOfObjects } from './tenant-object-faults';
import { tooManyPorts } from './too-many-ports';

/**
 * The manifests of a tenant, as its file has them, with the load balancers taken out: each Service of type LoadBalancer
 * becomes one of type ClusterIP behind the shared balancer, and each listener of a Kafka that has load balancers one of
 * type cluster-ip. The file itself is never written, and all other objects stay as they are.
 *
 * The file is read as kubectl reads it. What loses its meaning at a shared address, such as annotations for a cloud, is
 * taken out and told as a warning, `lost-in-sharing`, each word by itself. What cannot be shared fails the synth with file
 * and line: UDP, objects of other namespaces, and kinds by which a tenant could take what belongs to others.
 *
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1713/
 */
export class TenantManifests extends Construct {
  /** The objects of the file, in its order, for patches and dependencies. */
  public readonly apiObjects: ApiObject[];

  /** Where the Services of the file can be reached, each port by itself. */
  public readonly endpoints: SharedEndpoint[];

  /** The tenant: the namespace of all objects. */
  public readonly tenant: string;

  /**
   * Takes the manifests of a tenant in.
   *
   * @param scope a chart of the tenant, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which file, and what is shared
   * @throws with all that is wrong with the file: when it is missing, no YAML, or not rendered; when it holds nothing to
   * share, an object twice, also in another file of the tenant, a Service with more ports than a balancer, one of another namespace, or one of a kind that belongs to the platform; and when the tenant
   * is unknown
   */
  public constructor(scope: Construct, id: string, props: TenantManifestsProps) {
    judgeProps(scope, id, 'TenantManifestsProps', props);
    super(scope, id);
    const { shared, url, keepType, kafka: options } = props;
    const { objects, faults } = readTenantFile(url);
    this.refuse(faults);
    this.tenant = props.tenant ?? Chart.of(this).namespace ?? this.onlyNamespace(objects, url);
    const { tenant } = this;
    const book = bookOf(shared);
    const { dangerous, readsFromServices } = book.settings.engine;
    const ground = { tenant, shared, book, options };
    this.refuse([
      ...faultsOfObjects(objects, { tenant, dangerous, readsFromServices }),
      ...inOtherFiles(objects, tenant, book),
      ...objects.flatMap((object) => tooManyPorts(object, book.settings)),
      ...objects.flatMap((object) => kafkaFaults(object, ground)),
      ...nothingToShare(objects, url),
    ]);
    takeIn(objects, tenant, book, this.node.path);
    this.apiObjects = objects.map(({ json }) => this.make(json));
    this.endpoints = objects.flatMap(({ json, at }, i) => {
      const object = this.apiObjects[i];
      if (wantsLoadBalancer(json)) {
        return shareService(this, object, { at, tenant, shared, keepType: keepType === true });
      }
      if (isBalancedKafka(json)) {
        return shareKafka(this, object, at, ground);
      }
      judgeBystander(this, object, { json, at }, objects);
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
    if (isOutside) {
      renderLate(object, RenderStage.SCOPE, ({ metadata: { namespace: _, ...own }, ...rest }) => {
        const { apiVersion: version, kind: same, ...content } = rest;
        return { apiVersion: version, kind: same, metadata: own, ...content };
      });
    }
    return object;
  }

  private onlyNamespace(objects: readonly TenantObject[], url: string): string {
    const named = [...new Set(objects.flatMap(({ json }) => json.metadata.namespace ?? []))];
    if (named.length === 1) {
      return named[0];
    }
    const what =
      named.length === 0
        ? 'no object says a namespace, and neither does the chart'
        : `the objects are of several namespaces: ${named.join(', ')}`;
    return this.refuse([
      {
        ruleId: 'tenant-namespace',
        at: url,
        what,
        remedy: 'give the chart the namespace of the tenant, or say tenant; a tenant has one namespace',
      },
    ]) as never;
  }

  private refuse(faults: readonly FileFault[]): void {
    if (faults.length > 0) {
      const sentences = faults.map(({ ruleId, at, what, remedy }) =>
        printable(`${at}: ${what}; ${remedy} (${ruleId})`),
      );
      throw new Error(`${this.node.path}: ${[...new Set(sentences)].join('\n')}`);
    }
  }
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
  return [
    {
      ruleId: 'tenant-file-without-services',
      at: url,
      what: `there is no Service of type LoadBalancer to share: ${seen}`,
      remedy: 'read it with Include of cdk8s, which shares nothing',
    },
  ];
}
