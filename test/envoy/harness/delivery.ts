import type { Api, Body, Ref } from '../../cluster/harness/api';
import type { Engine } from './engine';

/** Who applies what the library writes: the platform of these tests. */
export const DELIVERY = 'system:serviceaccount:flux-system:kustomize-controller';

/** Labels of the namespaces of tenants. */
export const TENANT_LABELS = { 'example.com/tenant': 'true' };

const keyOf = ({ apiVersion, kind, metadata }: Ref) =>
  `${apiVersion.split('/').slice(0, -1)} ${kind} ${metadata.namespace}/${metadata.name}`;

/** A delivery tool: applies what there is, and deletes what was there the last time and is no more. */
export class Delivery {
  public readonly api: Api;
  private last = new Map<string, Ref>();
  private readonly namespaces = new Set<string>();

  public constructor(
    engine: Engine,
    private readonly platform = 'infra',
  ) {
    this.api = engine.api.actingAs(DELIVERY, ['system:masters']);
  }

  public async deliver(objects: readonly Ref[]): Promise<void> {
    const now = new Map(objects.map((object) => [keyOf(object), object]));
    const ofTenant = ({ metadata: { namespace } }: Ref) => namespace !== undefined && namespace !== this.platform;
    // what the platform has, and then tenants beside each other
    const tenants = new Set(objects.filter(ofTenant).map(({ metadata }) => metadata.namespace ?? ''));
    await this.namespace(this.platform);
    await this.apply(objects.filter((object) => !ofTenant(object)));
    await Promise.all(
      [...tenants].map(async (name) => {
        await this.namespace(name);
        await this.apply(objects.filter(({ metadata }) => metadata.namespace === name));
      }),
    );
    for (const [key, object] of this.last) {
      if (!now.has(key)) {
        await this.api.delete(object);
      }
    }
    this.last = now;
  }

  private async namespace(name: string): Promise<void> {
    if (!this.namespaces.has(name)) {
      const labels = name === this.platform ? {} : TENANT_LABELS;
      await this.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
      this.namespaces.add(name);
    }
  }

  /** One after the other, in their order. */
  private async apply(objects: readonly Ref[]): Promise<void> {
    for (const object of objects) {
      await this.api.apply(object, { as: 'kustomize-controller', force: true });
    }
  }
}

/** A Deployment whose pods are played, and the Service in front of them. */
export function workload(namespace: string, ports: readonly number[], name = 'db', replicas = 1): Ref[] {
  const labels = { app: name };
  const containers: Body[] = [
    { name, image: `example.com/${name}:1`, ports: ports.map((containerPort) => ({ containerPort })) },
  ];
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: labels, ports: ports.map((port) => ({ name: `port-${port}`, port })) },
    },
  ];
}
