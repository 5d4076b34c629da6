import { ApiObject, App } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../../contract/json';
import { clusterObject } from '../../guard/cluster-object';
import { keepAsMade } from '../../guard/isolation';
import { GATEWAY_API } from '../../tenancy.facts';
import type { BalancerAsk } from '../contract/engine';

/** A Gateway that tenants attach to. */
interface GatewayAsk {
  readonly ask: BalancerAsk;
  readonly className: string;
  /** The settings of the engine, in an object of the same namespace. */
  readonly parameters?: Json;
}

/** Makes a Gateway with one listener of its own, since it needs one, to which listeners of tenants attach. */
export function makeGateway(scope: Construct, { ask, className, parameters }: GatewayAsk): ApiObject {
  const { name, namespace, ownPort, namespaceLabels } = ask;
  const identity = { apiVersion: GATEWAY_API.version, kind: 'Gateway', metadata: { name, namespace } };
  const isolated = {
    gatewayClassName: className,
    infrastructure: parameters && { parametersRef: parameters },
    allowedListeners: { namespaces: { from: 'Selector', selector: { matchLabels: namespaceLabels } } },
  };
  const gateway = new ApiObject(scope, 'Gateway', {
    ...identity,
    spec: {
      ...isolated,
      listeners: [
        {
          name: 'own',
          port: ownPort,
          protocol: 'TCP',
          allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ group: GATEWAY_API.group, kind: 'TCPRoute' }] },
        },
      ],
    },
  });
  keepAsMade(gateway, { ...identity, spec: isolated });
  return gateway;
}

const CLASSES = new WeakMap<object, Set<string>>();

/** The name of a class of Gateways, made once in an app: it belongs to the whole cluster. */
export function gatewayClassOf(scope: Construct, name: string, controllerName: string, parameters?: Json): string {
  const app = App.of(scope);
  const known = CLASSES.get(app) ?? new Set<string>();
  CLASSES.set(app, known);
  if (!known.has(name)) {
    known.add(name);
    clusterObject(scope, 'Class', {
      apiVersion: GATEWAY_API.version,
      kind: 'GatewayClass',
      name,
      content: { spec: { controllerName, ...(parameters && { parametersRef: parameters }) } },
    });
  }
  return name;
}
