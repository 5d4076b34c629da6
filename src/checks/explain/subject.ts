import { isMap, type Json } from '../../contract/json';
import type { Manifest } from '../../rules/manifest-objects';
import { isService } from '../../rules/service-json';
import type { ReportedService } from '../service-report';

/** An object that someone names; what is left out may be anything. */
export interface NamedObject {
  /** Its kind in lower case. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A Service of some files, or an object that Services are made of. */
export type Subject =
  | { readonly service: ReportedService }
  | { readonly maker: Manifest; readonly services: readonly ReportedService[] };

/** What kubectl takes for a kind. */
const ALIASES: Readonly<Record<string, string>> = { svc: 'service', gtw: 'gateway', k: 'kafka' };

/** How a name can be meant: `shop/echo`, `svc/echo`, `Kafka kafka/events`. */
export function namesIn(words: string): NamedObject[] {
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
  return ALIASES[kind] ?? ALIASES[kind.replace(/s$/, '')] ?? kind;
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
    const name = namesOf(service).find((one) =>
      isNamed({ ...service.object, metadata: { ...service.object.metadata, name: one } }, named),
    );
    return name === undefined ? [] : [{ service: renamed(service, name) }];
  });
}

/** The Services of an object: as the cluster has them, and those that are in no file as they will be. */
function servicesOf(
  { object }: Manifest,
  manifests: readonly Manifest[],
  later: readonly ReportedService[],
): ReportedService[] {
  return later
    .filter(({ madeOf }) => madeOf?.object === object)
    .flatMap((made) => {
      const names = namesOf(made);
      const live = manifests.filter(
        (one) =>
          isService(one.object) &&
          names.includes(one.object.metadata?.name) &&
          one.object.metadata?.namespace === made.object.metadata?.namespace,
      );
      const missing = names.filter((name) => !live.some((one) => one.object.metadata?.name === name));
      return [...live, ...missing.map((name) => renamed(made, name))];
    });
}

/** The names of a Service and of those that differ from it by their names alone. */
function namesOf({ object, alike = [] }: ReportedService): string[] {
  const { name } = isMap(object.metadata) ? object.metadata : {};
  return [...(typeof name === 'string' ? [name] : []), ...alike];
}

/** One of the Services that differ by their names alone. */
function renamed({ alike: _, ...service }: ReportedService, name: string): ReportedService {
  const { object } = service;
  return { ...service, object: { ...object, metadata: { ...object.metadata, name } } };
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
