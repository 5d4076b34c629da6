import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { validateProps } from '../rules/warnings';
import { GATEWAY_CLASS_KIND } from './gateway.facts';
import { GATEWAY_CLASS_RULE_SET, gatewayObject, validateAtSynth } from './gateway-rule';
import type { GatewayClassProps, GatewayListener } from './options';

/**
 * A Gateway that routes can attach to, or a ListenerSet, which stands for the listeners that it brings to one.
 */
export interface IGateway {
  /** The name of the Gateway, or of the ListenerSet. */
  readonly gatewayName: string;

  /** Its namespace; unset where the manifest is applied without one. */
  readonly namespace?: string | undefined;

  /** The kind of what routes name: `ListenerSet`; unset for a Gateway. */
  readonly parentKind?: string | undefined;

  /** The name of the controller that serves the class of the Gateway, where it is known. */
  readonly controllerName?: string | undefined;

  /** The listeners, where they are known. */
  readonly listeners?: GatewayListener[] | undefined;

  /**
   * A listener by its name; nothing where there is none of it, or the listeners are unknown.
   *
   * @param name the name of the listener, which is the `sectionName` of routes
   */
  findListener(name: string): GatewayListener | undefined;
}

/**
 * A class of Gateways: which implementation of the Gateway API serves them. It belongs to no namespace.
 *
 * @see https://gateway-api.sigs.k8s.io/api-types/gatewayclass/
 */
export class GatewayClass extends ApiObject {
  /** The name of the controller that serves Gateways of the class. */
  public readonly controllerName: string;

  /**
   * A class of Gateways.
   *
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: GatewayClassProps) {
    validateProps(scope, id, 'GatewayClassProps', props);
    const { controllerName, parametersRef, description } = props;
    super(scope, id, gatewayObject(GATEWAY_CLASS_KIND, props, { controllerName, parametersRef, description }));
    this.controllerName = controllerName;
    validateAtSynth(this, GATEWAY_CLASS_RULE_SET);
  }

  /** The finished object, without the namespace that its chart may have. */
  // biome-ignore lint/suspicious/noExplicitAny: the signature of cdk8s
  public toJson(): any {
    const json = super.toJson();
    const { namespace: _, ...metadata } = json.metadata;
    return { ...json, metadata };
  }
}
