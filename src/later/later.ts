import { isMap, type Json } from '../contract/json';
import type { YamlPath } from '../contract/yaml-source';
import type { Manifest } from '../rules/manifest-objects';

/** A Service, and where it or what makes it is. */
export interface ReportedService extends Manifest {
  readonly madeBy?: string;
  readonly alike?: string[];
  /** The Services that clients reach by it, where it is made for those: `namespace/name` each. */
  readonly publishes?: readonly string[];
  /** The object that it is made of, and the part of that. */
  readonly madeOf?: MadeOf;
  /** The object that has a template of it, where that is another one. */
  readonly template?: Template;
}

/** A part of an object that holds fields of Services that are made of others. */
export interface Template {
  readonly manifest: Manifest;
  readonly path: YamlPath;
}

/** What a controller makes a Service of. */
export interface MadeOf {
  readonly object: Json;
  readonly path: YamlPath;
}

/** A balancer that a controller makes of a Gateway, without a Service. */
export interface LaterNlb {
  readonly gateway: Manifest;
  /** As it is written, or what is so where nothing is. */
  readonly scheme: unknown;
  /** How many subnets are named for it. */
  readonly subnets?: number;
  /** The ports of its listeners, and of those that tenants attach. */
  readonly ports: readonly Json[];
  /** The Gateway, with the Services that are published at it. */
  readonly madeBy: string;
  /** The parameters that it has, and that are not among the objects. */
  readonly missing?: string;
  /** The sentence of it among the notes. */
  readonly note: string;
}

/** What is made later of manifests that are no Services. */
export interface Later {
  /** Services as they will be. */
  readonly services: ReportedService[];
  /** Services that would be made of templates for objects that are not here: some of what is in them is not known. */
  readonly possible?: ReportedService[];
  /** Balancers without a Service. */
  readonly nlbs?: LaterNlb[];
  /** What cannot be reported like a Service, a sentence each. */
  readonly notes: string[];
  /** The objects that the notes are about: what is made of them is not among the Services. */
  readonly unlisted?: Manifest[];
  /** How many balancers the notes name, as far as it is known. */
  others: number;
}

/** Namespace and name of an object. */
export function titleOf({ metadata }: Json): string {
  const { namespace, name } = isMap(metadata) ? metadata : {};
  return [namespace, name].filter((part) => typeof part === 'string' && part !== '').join('/') || 'without a name';
}
