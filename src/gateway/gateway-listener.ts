import type { Json } from '../contract/json';
import { CUSTOM_PROTOCOL, GATEWAY_GROUP, NAMESPACE_NAME_LABEL } from './gateway.facts';

/**
 * Protocol of the traffic that a listener of a Gateway receives.
 */
export class GatewayProtocol {
  /** HTTP in plain text. */
  public static readonly HTTP = new GatewayProtocol('HTTP');

  /** HTTP over TLS, which the Gateway terminates. */
  public static readonly HTTPS = new GatewayProtocol('HTTPS');

  /** TLS, routed by the server name in it, terminated or passed through. */
  public static readonly TLS = new GatewayProtocol('TLS');

  /** TCP connections. */
  public static readonly TCP = new GatewayProtocol('TCP');

  /** UDP packets. */
  public static readonly UDP = new GatewayProtocol('UDP');

  /**
   * A protocol that one implementation adds.
   *
   * @param value its name, as a domain with a path (`acme.example/quic`)
   * @throws when it is no such name: those without a domain belong to the Gateway API itself
   */
  public static custom(value: string): GatewayProtocol {
    if (!CUSTOM_PROTOCOL.test(value)) {
      throw new Error(
        `GatewayProtocol.custom: '${value}' is not a domain with a path; write it like acme.example/quic, or use a constant`,
      );
    }
    return new GatewayProtocol(value);
  }

  /** A protocol as a manifest names it, right or wrong, and empty where it names none. @internal */
  public static _of(value: unknown): GatewayProtocol {
    return new GatewayProtocol(String(value ?? ''));
  }

  private constructor(
    /** The name as the manifest has it. */
    public readonly value: string,
  ) {}
}

/**
 * ListenerSets that may attach to a Gateway. By default none: a user who may join takes ports of its address.
 */
export class GatewayAllowedListeners {
  /** No ListenerSets. */
  public static none(): GatewayAllowedListeners {
    return new GatewayAllowedListeners({ from: 'None' });
  }

  /** ListenerSets in the namespace of the Gateway. */
  public static sameNamespace(): GatewayAllowedListeners {
    return new GatewayAllowedListeners({ from: 'Same' });
  }

  /** ListenerSets in every namespace: a user who may make one anywhere in the cluster can take ports here. */
  public static allNamespaces(): GatewayAllowedListeners {
    return new GatewayAllowedListeners({ from: 'All' });
  }

  /**
   * ListenerSets in the namespaces of these names.
   *
   * @param names names of namespaces, at least one
   * @throws when no name is given
   */
  public static namespaces(names: string[]): GatewayAllowedListeners {
    return new GatewayAllowedListeners(named(names, 'GatewayAllowedListeners', 'none'));
  }

  /**
   * ListenerSets in the namespaces that have all of these labels. A user who may label namespaces decides then, and some
   * implementations do not notice a label that comes later.
   *
   * @param labels labels of namespaces, at least one
   * @throws when no label is given, which would admit every namespace
   */
  public static namespacesLabeled(labels: { [key: string]: string }): GatewayAllowedListeners {
    return new GatewayAllowedListeners(labeled(labels, 'GatewayAllowedListeners'));
  }

  private constructor(private readonly namespaces: Json) {}

  /** @internal */
  public _toJson(): Json {
    return { namespaces: this.namespaces };
  }
}

/**
 * Routes that may attach to a listener of a Gateway. By default only those in the namespace of the
 * Gateway.
 */
export class GatewayAllowedRoutes {
  /**
   * Routes in the namespace of the Gateway.
   *
   * @param kinds kinds of routes of the Gateway API, such as `TLSRoute`; without it, those that fit the protocol
   */
  public static sameNamespace(kinds?: string[]): GatewayAllowedRoutes {
    return new GatewayAllowedRoutes(withKinds({ from: 'Same' }, kinds));
  }

  /**
   * Routes in every namespace: a user who may make routes anywhere in the cluster can take hosts here.
   *
   * @param kinds kinds of routes of the Gateway API, such as `TLSRoute`; without it, those that fit the protocol
   */
  public static allNamespaces(kinds?: string[]): GatewayAllowedRoutes {
    return new GatewayAllowedRoutes(withKinds({ from: 'All' }, kinds));
  }

  /**
   * Routes in the namespaces of these names.
   *
   * @param names names of namespaces, at least one
   * @param kinds kinds of routes of the Gateway API, such as `TLSRoute`; without it, those that fit the protocol
   * @throws when no name is given
   */
  public static namespaces(names: string[], kinds?: string[]): GatewayAllowedRoutes {
    return new GatewayAllowedRoutes(withKinds(named(names, 'GatewayAllowedRoutes', 'sameNamespace'), kinds));
  }

  /**
   * Routes in the namespaces that have all of these labels. A user who may label namespaces decides then.
   *
   * @param labels labels of namespaces, at least one
   * @param kinds kinds of routes of the Gateway API, such as `TLSRoute`; without it, those that fit the protocol
   * @throws when no label is given, which would admit every namespace
   */
  public static namespacesLabeled(labels: { [key: string]: string }, kinds?: string[]): GatewayAllowedRoutes {
    return new GatewayAllowedRoutes(withKinds(labeled(labels, 'GatewayAllowedRoutes'), kinds));
  }

  /** @internal */
  public static _of(json: Json): GatewayAllowedRoutes {
    return new GatewayAllowedRoutes(json);
  }

  private constructor(private readonly json: Json) {}

  /** @internal */
  public _toJson(): Json {
    return this.json;
  }
}

function withKinds(namespaces: Json, kinds: readonly string[] = []): Json {
  return kinds.length === 0
    ? { namespaces }
    : { namespaces, kinds: kinds.map((kind) => ({ group: GATEWAY_GROUP, kind })) };
}

function named(names: readonly string[], type: string, instead: string): Json {
  if (names.length === 0) {
    throw new Error(`${type}.namespaces: there is no name; name the namespaces, or use ${instead}`);
  }
  const matchExpressions = [{ key: NAMESPACE_NAME_LABEL, operator: 'In', values: names }];
  return { from: 'Selector', selector: { matchExpressions } };
}

function labeled(labels: Json, type: string): Json {
  if (Object.keys(labels).length === 0) {
    throw new Error(
      `${type}.namespacesLabeled: there is no label, which admits every namespace; use allNamespaces if that is meant`,
    );
  }
  return { from: 'Selector', selector: { matchLabels: labels } };
}
