import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { type Json, mapIn, mapsIn } from '../contract/json';
import { lookAt } from '../rules/judge-object';
import { perMoment } from '../rules/per-moment';
import { GATEWAY_GROUP, GATEWAY_KIND, LISTENER_SET_KIND, ROUTE_KINDS } from './gateway.facts';

/** An object of the Gateway API in an app, as it is written: whoever made it. */
export interface ObjectInApp {
  readonly object: ApiObject;
  readonly json: Json;
}

/** A listener that wants a port of a Gateway. */
export interface ListenerClaim extends ObjectInApp {
  readonly listener: Json;
}

/** A Gateway with the ListenerSets that want to join it. */
export interface GatewayInApp {
  /** Nothing where the Gateway is made elsewhere. */
  readonly gateway?: ObjectInApp;
  readonly sets: readonly ObjectInApp[];
  /** What is told of it. */
  readonly title: string;
}

/** The Gateways of an app, their ListenerSets, and the routes. */
export interface GatewaysInApp {
  readonly all: readonly GatewayInApp[];
  readonly routes: readonly ObjectInApp[];
  /** The Gateway that a set joins; nothing where that is made elsewhere or in doubt. */
  gatewayOf(set: ApiObject): ObjectInApp | undefined;
  /** The Gateway or the ListenerSet that a route names; nothing where that is made elsewhere or in doubt. */
  parentOf(route: ObjectInApp, parentRef: Json): ObjectInApp | undefined;
}

const ROUTES = Object.values(ROUTE_KINDS).flat();

/** Looks at the objects of the Gateway API in an app. */
export const gatewaysInApp = perMoment((root): GatewaysInApp => {
  const found = root.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one) && one.apiGroup === GATEWAY_GROUP);
  const of = (...kinds: readonly string[]): ObjectInApp[] =>
    found.filter(({ kind }) => kinds.includes(kind)).map((object) => ({ object, json: lookAt(object) }));
  const gateways = new Namesakes(of(GATEWAY_KIND));
  const sets = new Namesakes(of(LISTENER_SET_KIND));
  const joined = new Map<ApiObject, ObjectInApp>();
  const strangers = new Map<string, ObjectInApp[]>();
  const joining = new Map<ApiObject, ObjectInApp[]>();
  for (const set of sets.all) {
    const { namespace, name } = mapIn(set.json.spec, 'parentRef');
    const key = keyOf(namespace ?? set.object.metadata.namespace, name);
    const gateway = gateways.nearest(key, set.object);
    if (gateway) {
      joined.set(set.object, gateway);
      listAt(joining, gateway.object).push(set);
    } else if (!gateways.has(key)) {
      listAt(strangers, key).push(set);
    }
  }
  return {
    all: [
      ...gateways.all.map((gateway) => ({
        gateway,
        sets: joining.get(gateway.object) ?? [],
        title: titleOf(gateway.object),
      })),
      ...[...strangers]
        .filter(([, members]) => !members.some(({ object }) => sets.isAmbiguous(object)))
        .map(([key, members]) => ({ sets: members, title: `${GATEWAY_KIND} ${key}` })),
    ],
    routes: of(...ROUTES),
    gatewayOf: (set) => joined.get(set),
    parentOf: ({ object }, { group = GATEWAY_GROUP, kind = GATEWAY_KIND, namespace, name }) => {
      const key = keyOf(namespace ?? object.metadata.namespace, name);
      if (group !== GATEWAY_GROUP) {
        return undefined;
      }
      return kind === LISTENER_SET_KIND
        ? sets.nearest(key, object)
        : kind === GATEWAY_KIND
          ? gateways.nearest(key, object)
          : undefined;
    },
  };
});

/** Every listener that wants a port of a Gateway, those of the Gateway itself first. */
export function claimsOf({ gateway, sets }: GatewayInApp): ListenerClaim[] {
  return [...(gateway ? [gateway] : []), ...sets].flatMap((one) =>
    mapsIn(one.json.spec, 'listeners').map((listener) => ({ ...one, listener })),
  );
}

/** What a title needs. */
type Titled = Pick<ApiObject, 'kind' | 'name'> & { readonly metadata: { readonly namespace?: string } };

/** How messages call an object. */
export function titleOf({ kind, name, metadata }: Titled): string {
  return `${kind} ${keyOf(metadata.namespace, name)}`;
}

function keyOf(namespace: string | undefined, name: unknown): string {
  return namespace === undefined ? String(name) : `${namespace}/${name}`;
}

/** The list at a key, made where there is none. */
export function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/**
 * Objects of one kind by their names. One name that stands twice in an app means two clusters: what names it means the
 * object that shares the most scopes with it, if there is one such.
 */
class Namesakes {
  private readonly byKey = new Map<string, ObjectInApp[]>();

  public constructor(public readonly all: readonly ObjectInApp[]) {
    for (const one of all) {
      listAt(this.byKey, keyOf(one.object.metadata.namespace, one.object.name)).push(one);
    }
  }

  public has(key: string): boolean {
    return this.byKey.has(key);
  }

  public isAmbiguous({ metadata, name }: ApiObject): boolean {
    return (this.byKey.get(keyOf(metadata.namespace, name)) ?? []).length > 1;
  }

  public nearest(key: string, to: IConstruct): ObjectInApp | undefined {
    const found = this.byKey.get(key) ?? [];
    if (found.length < 2) {
      return found[0];
    }
    const scopes = new Set(to.node.scopes);
    const shared = found.map(({ object }) => object.node.scopes.filter((scope) => scopes.has(scope)).length);
    const most = Math.max(...shared);
    return shared.filter((count) => count === most).length === 1 ? found[shared.indexOf(most)] : undefined;
  }
}
