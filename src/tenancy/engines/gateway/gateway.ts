import { ApiObject, App } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../../contract/json';
import { NAMESPACE_NAME_LABEL } from '../../../gateway/gateway.facts';
import { setOf } from '../../../gateway/gateway-rule';
import { GATEWAY_RULES } from '../../../gateway/gateway-rules';
import { clusterObject } from '../../guard/policy';
import { protectFields } from '../../guard/rules';
import { GATEWAY_API, SUSPENDED, SUSPENDED_LABEL } from '../../tenancy.facts';
import type { BalancerOptions } from '../contract/engine';

/** Rules for the Gateway alone: a shared load balancer reports ports that are taken. */
export const OWN_GATEWAY_RULE_SET = setOf(GATEWAY_RULES);

interface GatewayAsk {
  readonly ask: BalancerOptions;
  readonly className: string;
  readonly parameters?: Json;
  /**
   * True if its controller looks at labels of namespaces anew only where a listener takes routes by them. The Gateway's own
   * listener then does, from the namespace of the Gateway alone.
   */
  readonly watchesLabelsOfRoutes?: boolean;
}

/**
 * Makes a Gateway with one listener of its own, since it needs one, to which listeners of tenants attach. Those of a namespace
 * that is suspended are let go.
 */
export function makeGateway(scope: Construct, gatewayAsk: GatewayAsk): ApiObject {
  const { ask, className, parameters } = gatewayAsk;
  const { name, namespace, ownPort, namespaceLabels } = ask;
  const identity = { apiVersion: GATEWAY_API.version, kind: 'Gateway', metadata: { name, namespace } };
  const isolated = {
    gatewayClassName: className,
    infrastructure: parameters && { parametersRef: parameters },
    allowedListeners: { namespaces: { from: 'Selector', selector: tenantsThatAreServed(namespaceLabels) } },
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
          allowedRoutes: {
            namespaces: ownNamespace(gatewayAsk),
            kinds: [{ group: GATEWAY_API.group, kind: 'TCPRoute' }],
          },
        },
      ],
    },
  });
  protectFields(gateway, { ...identity, spec: isolated });
  return gateway;
}

function tenantsThatAreServed(namespaceLabels: BalancerOptions['namespaceLabels']): Json {
  return {
    matchLabels: namespaceLabels,
    matchExpressions: [{ key: SUSPENDED_LABEL, operator: 'NotIn', values: [SUSPENDED] }],
  };
}

function ownNamespace({ ask: { namespace = 'default' }, watchesLabelsOfRoutes }: GatewayAsk): Json {
  return watchesLabelsOfRoutes
    ? { from: 'Selector', selector: { matchLabels: { [NAMESPACE_NAME_LABEL]: namespace } } }
    : { from: 'Same' };
}

const CLASSES = new WeakMap<object, Set<string>>();

export function gatewayClassOf(scope: Construct, name: string, controllerName: string): string {
  const app = App.of(scope);
  const known = CLASSES.get(app) ?? new Set<string>();
  CLASSES.set(app, known);
  if (!known.has(name)) {
    known.add(name);
    clusterObject(scope, 'Class', {
      apiVersion: GATEWAY_API.version,
      kind: 'GatewayClass',
      name,
      content: { spec: { controllerName } },
    });
  }
  return name;
}
