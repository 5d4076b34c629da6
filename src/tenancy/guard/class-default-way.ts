import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { NamespaceRequirement } from './namespace-requirement';

/** A class that Services are to get. */
export interface ClassDefaultAsk {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly namespaceSelector: Json;
  readonly loadBalancerClass: string;
  /** What policies of the API server and of others have in common. */
  readonly spec: Json;
  readonly kubernetes: KubernetesVersion;
}

/** What gives Services their class. */
export interface ClassDefaultMade {
  readonly policy?: ApiObject;
  readonly webhookNamespaceSelector?: NamespaceRequirement[];
}

/** Gives Services their class. */
export type ClassDefaultWay = (host: Construct, ask: ClassDefaultAsk) => ClassDefaultMade;

const WAYS = new WeakMap<object, ClassDefaultWay>();

/** Keeps the way of a mechanism, of which users of other languages see nothing. */
export function keepWay(way: ClassDefaultWay, mechanism: object): void {
  WAYS.set(mechanism, way);
}

/** The way of a mechanism. */
export function wayOf(mechanism: object): ClassDefaultWay {
  return WAYS.get(mechanism) as ClassDefaultWay;
}
