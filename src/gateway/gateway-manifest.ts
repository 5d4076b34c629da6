import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { lookAt } from '../rules/judge-object';
import type { GatewayManifestProps } from './gateway';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND } from './gateway.facts';
import { listenersIn } from './gateway-json';
import type { GatewayListener } from './gateway-listener';
import { judgeAtSynth } from './gateway-rule';
import { GATEWAY_RULE_SET } from './gateway-rules';
import type { IGateway } from './i-gateway';

/** A Gateway that exists as YAML. */
class ManifestGateway implements IGateway {
  public readonly gatewayName: string;
  public readonly namespace?: string;

  public constructor(
    private readonly object: ApiObject,
    public readonly controllerName?: string,
  ) {
    this.gatewayName = object.name;
    this.namespace = object.metadata.namespace;
  }

  public get listeners(): GatewayListener[] | undefined {
    return listenersIn(lookAt(this.object));
  }

  public listenerNamed(name: string): GatewayListener | undefined {
    return this.listeners?.find((listener) => listener.name === name);
  }
}

/** The Gateway that a construct holds. */
export function gatewayOfManifest(construct: IConstruct, props: GatewayManifestProps): IGateway {
  const { name, namespace, controllerName } = props;
  const objects = construct.node
    .findAll()
    .filter((child): child is ApiObject => ApiObject.isApiObject(child))
    .filter(({ apiGroup }) => apiGroup === GATEWAY_GROUP);
  const all = objects.filter(({ kind }) => kind === GATEWAY_KIND);
  const found = all.filter(
    (gateway) =>
      (name === undefined || gateway.name === name) &&
      (namespace === undefined || gateway.metadata.namespace === namespace),
  );
  if (found.length !== 1) {
    const present = all.map((gateway) => [gateway.metadata.namespace, gateway.name].filter(Boolean).join('/'));
    const seen = present.length === 0 ? 'no Gateway' : `the Gateways ${present.join(', ')}`;
    throw new Error(
      `${construct.node.path}: there is ${seen}; pass the construct that holds the Gateway, and its name and namespace`,
    );
  }
  const [gateway] = found;
  judgeAtSynth(gateway, GATEWAY_RULE_SET);
  const className = lookAt(gateway).spec?.gatewayClassName;
  const gatewayClass = objects.find((object) => object.kind === GATEWAY_CLASS_KIND && object.name === className);
  const ofClass = gatewayClass && lookAt(gatewayClass).spec?.controllerName;
  return new ManifestGateway(gateway, controllerName ?? ofClass);
}
