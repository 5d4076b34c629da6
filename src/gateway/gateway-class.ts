import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { definedOrNothing } from '../contract/json';
import { judgeProps } from '../rules/judge-props';
import { GATEWAY_API_VERSION, GATEWAY_CLASS_KIND } from './gateway.facts';
import { judgeAtSynth } from './gateway-rule';
import { GATEWAY_CLASS_RULE_SET } from './gateway-rules';

/**
 * An object with settings that an implementation of the Gateway API reads, in the namespace of the object that names it.
 */
export interface GatewayLocalParametersRef {
  /** The API group of the object, such as `gateway.acme.example`. */
  readonly group: string;

  /** The kind of the object. */
  readonly kind: string;

  /** The name of the object. */
  readonly name: string;
}

/**
 * An object with settings that an implementation of the Gateway API reads.
 */
export interface GatewayParametersRef extends GatewayLocalParametersRef {
  /**
   * The namespace of the object.
   *
   * @default - the object belongs to no namespace
   */
  readonly namespace?: string;
}

/**
 * A class of Gateways.
 */
export interface GatewayClassProps {
  /**
   * The name of the class, which Gateways refer to.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /** The controller that serves Gateways of the class (`acme.example/gateway-controller`). Cannot be changed later. */
  readonly controllerName: string;

  /**
   * Settings of the class, in an object that the controller understands.
   *
   * @default - none
   */
  readonly parametersRef?: GatewayParametersRef;

  /**
   * What the class is for, in at most 64 characters.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * Annotations of the class.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the class.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };
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
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: GatewayClassProps) {
    judgeProps(scope, id, 'GatewayClassProps', props);
    const { name, annotations, labels, controllerName, parametersRef, description } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: GATEWAY_CLASS_KIND,
      metadata: definedOrNothing({ name, annotations, labels }),
      spec: { controllerName, parametersRef, description },
    });
    this.controllerName = controllerName;
    judgeAtSynth(this, GATEWAY_CLASS_RULE_SET);
  }

  /** The finished object, without the namespace that its chart may have. */
  // biome-ignore lint/suspicious/noExplicitAny: the signature of cdk8s
  public toJson(): any {
    const json = super.toJson();
    const { namespace: _, ...metadata } = json.metadata;
    return { ...json, metadata };
  }
}
