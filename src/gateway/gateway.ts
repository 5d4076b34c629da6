import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { refuseWrongProps } from '../contract/declared-types';
import { definedOrNothing } from '../contract/json';
import { apiObjectsIn } from '../contract/synth-run';
import { currentJson } from '../rules/app-objects';
import { validateProps } from '../rules/warnings';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND, LISTENER_SET_KIND } from './gateway.facts';
import type { IGateway } from './gateway-class';
import { listenerJson, listenersIn, parentRefJson, ReferencedGateway } from './gateway-json';
import { gatewayObject, validateAtSynth } from './gateway-rule';
import { GATEWAY_RULE_SET, LISTENER_SET_RULE_SET } from './gateway-rules';
import type {
  GatewayListener,
  GatewayManifestProps,
  GatewayProps,
  GatewayReferenceProps,
  ListenerSetProps,
} from './options';

/** An object with listeners to which routes attach. */
abstract class ObjectWithListeners extends ApiObject {
  /** The name of the object. */
  public get gatewayName(): string {
    return this.name;
  }

  /** The namespace of the object. */
  public get namespace(): string | undefined {
    return this.metadata.namespace;
  }

  /** The listeners as they will be written, JSON patches included. */
  public get listeners(): GatewayListener[] | undefined {
    return listenersIn(currentJson(this));
  }

  /**
   * A listener by its name.
   *
   * @param name the name of the listener
   */
  public findListener(name: string): GatewayListener | undefined {
    return this.listeners?.find((listener) => listener.name === name);
  }
}

/**
 * A Gateway of the Gateway API: most implementations make one load balancer of it, however many routes attach.
 *
 * The synth fails on objects that the API server refuses: two listeners of one name or one place, TLS without a mode or a certificate,
 * a host name where the protocol carries none. Whether an implementation supports a protocol or an address, only the
 * status of the Gateway says.
 *
 * @see https://gateway-api.sigs.k8s.io/api-types/gateway/
 */
export class Gateway extends ObjectWithListeners implements IGateway {
  /**
   * A Gateway that is made elsewhere.
   *
   * @param name the name of the Gateway
   * @param props what is known of it
   */
  public static fromName(name: string, props: GatewayReferenceProps = {}): IGateway {
    refuseWrongProps('Gateway.fromName', 'GatewayReferenceProps', props);
    return new ReferencedGateway(name, props.namespace, () => props.listeners, props.controllerName);
  }

  /**
   * A Gateway that exists as YAML in the app. It is validated as those are that are made here.
   *
   * @param construct `Include`, `Helm`, an ApiObject or any construct that holds the Gateway, and best also its class
   * @param props which one is meant, and what the manifest does not hold
   * @throws when the construct holds no Gateway, or several and none is named
   */
  public static fromManifest(construct: IConstruct, props: GatewayManifestProps = {}): IGateway {
    refuseWrongProps('Gateway.fromManifest', 'GatewayManifestProps', props);
    return gatewayOfManifest(construct, props);
  }

  /** The controller of the class, where that is known. */
  public readonly controllerName?: string;

  /** Unset: routes name a Gateway without its kind. */
  public readonly parentKind?: string;

  /**
   * A Gateway.
   *
   * @param props what it says
   * @throws when it has both a class and the name of one
   */
  public constructor(scope: Construct, id: string, props: GatewayProps) {
    validateProps(scope, id, 'GatewayProps', props);
    const { gatewayClass, gatewayClassName, listeners, addresses } = props;
    const spec = {
      gatewayClassName: gatewayClass?.name ?? gatewayClassName,
      listeners: listeners.map(listenerJson),
      allowedListeners: props.allowedListeners?._toJson(),
      addresses: addresses?.map(({ type, value }) => ({ type, value })),
      infrastructure: definedOrNothing({
        annotations: props.infrastructureAnnotations,
        labels: props.infrastructureLabels,
        parametersRef: props.parametersRef,
      }),
    };
    super(scope, id, gatewayObject(GATEWAY_KIND, props, spec));
    if (gatewayClass && gatewayClassName !== undefined) {
      throw new Error(`${this.node.path}: gatewayClass and gatewayClassName are both given; keep one`);
    }
    this.controllerName = gatewayClass?.controllerName;
    validateAtSynth(this, GATEWAY_RULE_SET);
  }
}

function gatewayOfManifest(construct: IConstruct, props: GatewayManifestProps): IGateway {
  const { name, namespace, controllerName } = props;
  const objects = apiObjectsIn(construct).filter(({ apiGroup }) => apiGroup === GATEWAY_GROUP);
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
  validateAtSynth(gateway, GATEWAY_RULE_SET);
  const className = currentJson(gateway).spec?.gatewayClassName;
  const gatewayClass = objects.find((object) => object.kind === GATEWAY_CLASS_KIND && object.name === className);
  const ofClass = gatewayClass && currentJson(gatewayClass).spec?.controllerName;
  const listeners = () => listenersIn(currentJson(gateway));
  return new ReferencedGateway(gateway.name, gateway.metadata.namespace, listeners, controllerName ?? ofClass);
}

/**
 * Listeners that join a Gateway from another place, such as the namespace of a tenant: they get ports of its address, and
 * no balancer of their own. Routes attach to the set, and not to the Gateway.
 *
 * If listeners of two sets take one port, the Gateway API gives it to the older set; some implementations give it to
 * the owner of the older route, and report nothing. Two of one app are an error at synth. Its version `v1` needs the CRDs of
 * Gateway API 1.5 or newer.
 *
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1713/
 */
export class ListenerSet extends ObjectWithListeners implements IGateway {
  /**
   * A ListenerSet that is made elsewhere.
   *
   * @param name the name of the set
   * @param props what is known of it
   */
  public static fromName(name: string, props: GatewayReferenceProps = {}): IGateway {
    refuseWrongProps('ListenerSet.fromName', 'GatewayReferenceProps', props);
    const { namespace, listeners, controllerName } = props;
    return new ReferencedGateway(name, namespace, () => listeners, controllerName, LISTENER_SET_KIND);
  }

  /** Kind to which routes refer: `ListenerSet`. */
  public readonly parentKind?: string = LISTENER_SET_KIND;

  /** The controller of the class of the Gateway, where that is known. */
  public readonly controllerName?: string;

  /**
   * A set.
   *
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: ListenerSetProps) {
    validateProps(scope, id, 'ListenerSetProps', props);
    const { gateway, listeners } = props;
    const spec = { parentRef: parentRefJson(gateway), listeners: listeners.map(listenerJson) };
    super(scope, id, gatewayObject(LISTENER_SET_KIND, props, spec));
    this.controllerName = gateway.controllerName;
    validateAtSynth(this, LISTENER_SET_RULE_SET);
  }
}
