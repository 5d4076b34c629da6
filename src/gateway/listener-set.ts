import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { refuseWrongProps } from '../contract/declared-types';
import { definedOrNothing } from '../contract/json';
import { lookAt } from '../rules/judge-object';
import { judgeProps } from '../rules/judge-props';
import { GATEWAY_API_VERSION, LISTENER_SET_KIND } from './gateway.facts';
import { listenerJson, listenersIn } from './gateway-json';
import type { GatewayListener } from './gateway-listener';
import { ReferencedGateway } from './gateway-reference';
import { judgeAtSynth } from './gateway-rule';
import { LISTENER_SET_RULE_SET } from './gateway-rules';
import type { IGateway } from './i-gateway';
import { parentRefJson } from './parent-ref';

/**
 * A set of listeners that joins a Gateway.
 */
export interface ListenerSetProps {
  /**
   * The name of the set.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the set. Certificates lie in it, and unless a listener says otherwise, only routes in it may attach.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /** The Gateway that the set joins; it has to admit ListenerSets of the namespace by its `allowedListeners`. */
  readonly gateway: IGateway;

  /** The listeners, at least one. Their names count within the set, their ports in the whole Gateway. */
  readonly listeners: GatewayListener[];

  /**
   * Annotations of the set.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the set.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };
}

/**
 * What is known of a ListenerSet that is made elsewhere.
 */
export interface ListenerSetReferenceProps {
  /**
   * The namespace of the set.
   *
   * @default - the one of the routes
   */
  readonly namespace?: string;

  /**
   * The listeners, as far as they matter. Routes are checked against them.
   *
   * @default - unknown
   */
  readonly listeners?: GatewayListener[];

  /**
   * The name of the controller that serves the Gateway.
   *
   * @default - unknown
   */
  readonly controllerName?: string;
}

/**
 * Listeners that join a Gateway from another place, such as the namespace of a tenant: they get ports of its address, and
 * no balancer of their own. Routes attach to the set, and not to the Gateway.
 *
 * Where listeners of two sets take one port, the Gateway API gives it to the older set; some implementations give it to
 * the owner of the older route, and report nothing. Two of one app are an error at synth. Its version `v1` needs the CRDs of
 * Gateway API 1.5 or newer.
 *
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1713/
 */
export class ListenerSet extends ApiObject implements IGateway {
  /**
   * A ListenerSet that is made elsewhere.
   *
   * @param name the name of the set
   * @param props what is known of it
   */
  public static fromName(name: string, props: ListenerSetReferenceProps = {}): IGateway {
    refuseWrongProps('ListenerSet.fromName', 'ListenerSetReferenceProps', props);
    const { namespace, listeners, controllerName } = props;
    return new ReferencedGateway(name, namespace, listeners, controllerName, LISTENER_SET_KIND);
  }

  /** What routes name: `ListenerSet`. */
  public readonly parentKind?: string = LISTENER_SET_KIND;

  /** The controller of the class of the Gateway, where that is known. */
  public readonly controllerName?: string;

  /**
   * A set.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: ListenerSetProps) {
    judgeProps(scope, id, 'ListenerSetProps', props);
    const { name, namespace, annotations, labels, gateway, listeners } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: LISTENER_SET_KIND,
      metadata: definedOrNothing({ name, namespace, annotations, labels }),
      spec: { parentRef: parentRefJson(gateway), listeners: listeners.map(listenerJson) },
    });
    this.controllerName = gateway.controllerName;
    judgeAtSynth(this, LISTENER_SET_RULE_SET);
  }

  /** The name of the set. */
  public get gatewayName(): string {
    return this.name;
  }

  /** The namespace of the set. */
  public get namespace(): string | undefined {
    return this.metadata.namespace;
  }

  /** The listeners as they will be written, JSON patches included. */
  public get listeners(): GatewayListener[] | undefined {
    return listenersIn(lookAt(this));
  }

  /**
   * A listener by its name.
   *
   * @param name the name of the listener
   */
  public listenerNamed(name: string): GatewayListener | undefined {
    return this.listeners?.find((listener) => listener.name === name);
  }
}
