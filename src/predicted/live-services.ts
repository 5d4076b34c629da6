import { mapIn } from '../contract/json';
import type { Manifest } from '../rules/manifest-objects';
import { isService } from '../rules/service-json';
import { OWNING_GATEWAY_CLASS_LABEL, OWNING_GATEWAY_LABELS } from '../tenancy/engines/envoy-gateway/facts';
import type { ReportedService } from './predicted';

export class LiveServices {
  private readonly byName = new Map<string, Manifest[]>();
  private readonly byOwner = new Map<string, Manifest[]>();
  private readonly byClass = new Map<string, Manifest[]>();

  public constructor(manifests: readonly Manifest[]) {
    for (const manifest of manifests.filter(({ object }) => isService(object))) {
      const { namespace, name } = mapIn(manifest.object, 'metadata');
      const labels = mapIn(mapIn(manifest.object, 'metadata'), 'labels');
      const { name: gateway, namespace: ofGateway } = OWNING_GATEWAY_LABELS;
      add(this.byName, keyOf(namespace, name), manifest);
      if (labels[gateway] !== undefined) {
        add(this.byOwner, keyOf(labels[ofGateway], labels[gateway]), manifest);
      }
      if (labels[OWNING_GATEWAY_CLASS_LABEL] !== undefined) {
        add(this.byClass, keyOf(labels[OWNING_GATEWAY_CLASS_LABEL]), manifest);
      }
    }
  }

  /** Those that are what is made: by name, and by the labels of its Gateway where the name is generated. */
  public of(made: ReportedService): readonly Manifest[] {
    const names = namesOf(made);
    const { namespace } = mapIn(made.object, 'metadata');
    if (names.length > 0) {
      return names.flatMap((name) => this.byName.get(keyOf(namespace, name)) ?? []);
    }
    const gateway = made.madeOf?.object;
    const own = mapIn(gateway, 'metadata');
    const ofGateway = this.byOwner.get(keyOf(own.namespace ?? 'default', own.name)) ?? [];
    return ofGateway.length > 0 ? ofGateway : (this.byClass.get(keyOf(mapIn(gateway, 'spec').gatewayClassName)) ?? []);
  }

  /** What is made and is in no file: of several that differ by their names alone, those that are not. */
  public missing(services: readonly ReportedService[]): ReportedService[] {
    return services.flatMap((made) => {
      const names = namesOf(made);
      if (names.length === 0) {
        return this.of(made).length === 0 ? [made] : [];
      }
      const { namespace } = mapIn(made.object, 'metadata');
      const open = names.filter((name) => !this.byName.has(keyOf(namespace, name)));
      if (open.length === names.length) {
        return [made];
      }
      const [first, ...others] = open;
      return first === undefined ? [] : [{ ...renamed(made, first), ...(others.length > 0 && { alike: others }) }];
    });
  }
}

/** The names of a Service and of those that differ from it by their names alone; none where its name is generated. */
export function namesOf({ object, alike = [] }: ReportedService): string[] {
  const { name } = mapIn(object, 'metadata');
  return [...(typeof name === 'string' ? [name] : []), ...alike];
}

/** One of the Services that differ by their names alone. */
export function renamed({ alike: _, ...service }: ReportedService, name: string): ReportedService {
  const { object } = service;
  return { ...service, object: { ...object, metadata: { ...object.metadata, name } } };
}

function keyOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function add(places: Map<string, Manifest[]>, key: string, manifest: Manifest): void {
  places.set(key, [...(places.get(key) ?? []), manifest]);
}
