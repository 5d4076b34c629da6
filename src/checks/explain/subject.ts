import { isMap, type Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import { LiveServices, namesOf, renamed } from '../../predicted/live-services';
import type { ReportedService } from '../../predicted/predicted';
import type { Manifest } from '../../rules/manifest-objects';
import { isService } from '../../rules/service-json';
import { nameOf } from './explained-service';

/** An object that someone names; what is left out may be anything. */
export interface NamedObject {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A Service of some files, or an object that Services are made of. */
export type Subject =
  | { readonly service: ReportedService }
  | { readonly maker: Manifest; readonly services: readonly ReportedService[] };

const ALIASES: Readonly<Record<string, string>> = { svc: 'service', gtw: 'gateway', k: 'kafka' };

/** How a name can be meant: `shop/echo`, `svc/echo`, `Kafka kafka/events`. */
function namesIn(words: string): NamedObject[] {
  const [first, second] = words.trim().split(/\s+/);
  if (second !== undefined) {
    return [{ kind: kindIn(first), ...pathIn(second) }];
  }
  const { namespace, name } = pathIn(first);
  return namespace === undefined
    ? [{ name }]
    : [
        { namespace, name },
        { kind: kindIn(namespace), name },
      ];
}

function pathIn(path: string): { namespace?: string; name: string } {
  const slash = path.indexOf('/');
  return slash < 0 ? { name: path } : { namespace: path.slice(0, slash), name: path.slice(slash + 1) };
}

function kindIn(word: string): string {
  const kind = word.toLowerCase();
  return ownValue(ALIASES, kind) ?? ownValue(ALIASES, kind.replace(/s$/, '')) ?? kind;
}

/** The objects of some files that a name is meant for: Services that are there, what makes Services, Services that are made later. */
export function subjectsNamed(
  words: string,
  manifests: readonly Manifest[],
  later: readonly ReportedService[],
): Subject[] {
  for (const named of namesIn(words)) {
    const found = ofName(named, manifests, later);
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

function ofName(named: NamedObject, manifests: readonly Manifest[], later: readonly ReportedService[]): Subject[] {
  const fits = ({ object }: Manifest) => isNamed(object, named);
  const services = manifests.filter((one) => isService(one.object) && fits(one));
  if (services.length > 0) {
    return services.map((service) => ({ service }));
  }
  const makers = manifests.filter((one) => fits(one) && later.some(({ madeOf }) => madeOf?.object === one.object));
  if (makers.length > 0) {
    return makers.map((maker) => ({ maker, services: servicesOf(maker, manifests, later) }));
  }
  return later.flatMap((service) => {
    const isMeant = (name: string) =>
      isNamed({ ...service.object, metadata: { ...service.object.metadata, name } }, named);
    const name = namesOf(service).find(isMeant);
    if (name !== undefined) {
      return [{ service: renamed(service, name) }];
    }
    return namesOf(service).length === 0 && isMeant(nameOf(service.object)) ? [{ service }] : [];
  });
}

/** The Services of an object: as the cluster has them, and those that are in no file as they will be. */
function servicesOf(
  { object }: Manifest,
  manifests: readonly Manifest[],
  later: readonly ReportedService[],
): ReportedService[] {
  const files = new LiveServices(manifests);
  return later
    .filter(({ madeOf }) => madeOf?.object === object)
    .flatMap((made) => {
      const missing = files.missing([made]);
      return [
        ...files.of(made),
        ...missing.flatMap((one) => (namesOf(one).length > 0 ? namesOf(one).map((name) => renamed(one, name)) : [one])),
      ];
    });
}

function isNamed({ kind, metadata }: Json, named: NamedObject): boolean {
  const { namespace = 'default', name } = isMap(metadata) ? metadata : ({} as Json);
  return (
    name === named.name &&
    (named.kind === undefined ||
      String(kind).toLowerCase() === named.kind ||
      kindIn(named.kind) === kindIn(String(kind))) &&
    (named.namespace === undefined || namespace === named.namespace)
  );
}
