import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { refuseWrongProps } from '../contract/declared-types';
import { definedOrNothing } from '../contract/json';
import { lookAt } from '../rules/judge-object';
import { judgeProps } from '../rules/judge-props';
import { GATEWAY_API_VERSION, GATEWAY_KIND } from './gateway.facts';
import type { GatewayAllowedListeners } from './gateway-allowed-listeners';
import type { GatewayClass, GatewayLocalParametersRef } from './gateway-class';
import { listenerJson, listenersIn } from './gateway-json';
import type { GatewayListener } from './gateway-listener';
import { gatewayOfManifest } from './gateway-manifest';
import { ReferencedGateway } from './gateway-reference';
import { judgeAtSynth } from './gateway-rule';
import { GATEWAY_RULE_SET } from './gateway-rules';
import type { IGateway } from './i-gateway';

/**
 * An address that a Gateway is to have.
 */
export interface GatewayAddress {
  /**
   * The address itself. Unset where the implementation is to choose one of this type.
   *
   * @default - one that the implementation chooses
   */
  readonly value?: string;

  /**
   * What kind of address it is: `IPAddress`, `Hostname`, or one that an implementation adds (`acme.example/pool`).
   *
   * @default 'IPAddress'
   */
  readonly type?: string;
}

/**
 * A Gateway: listeners behind one address, which routes attach to.
 */
export interface GatewayProps {
  /**
   * The name of the Gateway.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the Gateway. Unless a listener says otherwise, only routes in it may attach.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * The class. Either this or `gatewayClassName`.
   *
   * @default - the one of `gatewayClassName`
   */
  readonly gatewayClass?: GatewayClass;

  /**
   * The name of a class that exists elsewhere; which controller serves it is not known here then.
   *
   * @default - the name of `gatewayClass`
   */
  readonly gatewayClassName?: string;

  /** The listeners, at least one, even where ListenerSets bring all that matter. */
  readonly listeners: GatewayListener[];

  /**
   * Which ListenerSets may join. Their listeners share the address of the Gateway, and compete for its ports.
   *
   * @default - none
   */
  readonly allowedListeners?: GatewayAllowedListeners;

  /**
   * Addresses that the Gateway is to have.
   *
   * @default - those that the implementation chooses
   */
  readonly addresses?: GatewayAddress[];

  /**
   * Annotations of what the implementation makes for the Gateway, such as a Service: where it reads them, this is the place
   * for settings of the load balancer.
   *
   * @default - none
   */
  readonly infrastructureAnnotations?: { [key: string]: string };

  /**
   * Labels of what the implementation makes for the Gateway.
   *
   * @default - none
   */
  readonly infrastructureLabels?: { [key: string]: string };

  /**
   * Settings of this Gateway, in an object of its namespace that the implementation understands.
   *
   * @default - those of the class
   */
  readonly parametersRef?: GatewayLocalParametersRef;

  /**
   * Annotations of the Gateway itself.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the Gateway itself.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };
}

/**
 * What is known of a Gateway that is made elsewhere.
 */
export interface GatewayReferenceProps {
  /**
   * The namespace of the Gateway.
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
   * The name of the controller that serves its class.
   *
   * @default - unknown
   */
  readonly controllerName?: string;
}

/**
 * Which Gateway of a manifest is meant, and what the manifest does not hold.
 */
export interface GatewayManifestProps {
  /**
   * The name of the Gateway, where the construct holds several.
   *
   * @default - the construct holds exactly one
   */
  readonly name?: string;

  /**
   * The namespace of the Gateway, where two have one name.
   *
   * @default - it follows from the name
   */
  readonly namespace?: string;

  /**
   * The name of the controller that serves its class.
   *
   * @default - that of the GatewayClass in the same construct, where there is one
   */
  readonly controllerName?: string;
}

/**
 * A Gateway of the Gateway API: most implementations make one load balancer of it, however many routes attach.
 *
 * What the API server refuses fails the synth: two listeners of one name or one place, TLS without a mode or a certificate,
 * a host name where the protocol carries none. Whether an implementation supports a protocol or an address, only the
 * status of the Gateway says.
 *
 * @see https://gateway-api.sigs.k8s.io/api-types/gateway/
 */
export class Gateway extends ApiObject implements IGateway {
  /**
   * A Gateway that is made elsewhere.
   *
   * @param name the name of the Gateway
   * @param props what is known of it
   */
  public static fromName(name: string, props: GatewayReferenceProps = {}): IGateway {
    refuseWrongProps('Gateway.fromName', 'GatewayReferenceProps', props);
    return new ReferencedGateway(name, props.namespace, props.listeners, props.controllerName);
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
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it says
   * @throws when it has both a class and the name of one
   */
  public constructor(scope: Construct, id: string, props: GatewayProps) {
    judgeProps(scope, id, 'GatewayProps', props);
    const { name, namespace, annotations, labels, gatewayClass, gatewayClassName, listeners, addresses } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: GATEWAY_KIND,
      metadata: definedOrNothing({ name, namespace, annotations, labels }),
      spec: {
        gatewayClassName: gatewayClass?.name ?? gatewayClassName,
        listeners: listeners.map(listenerJson),
        allowedListeners: props.allowedListeners?._toJson(),
        addresses: addresses?.map(({ type, value }) => ({ type, value })),
        infrastructure: definedOrNothing({
          annotations: props.infrastructureAnnotations,
          labels: props.infrastructureLabels,
          parametersRef: props.parametersRef,
        }),
      },
    });
    if (gatewayClass && gatewayClassName !== undefined) {
      throw new Error(`${this.node.path}: gatewayClass and gatewayClassName are both given; keep one`);
    }
    this.controllerName = gatewayClass?.controllerName;
    judgeAtSynth(this, GATEWAY_RULE_SET);
  }

  /** The name of the Gateway. */
  public get gatewayName(): string {
    return this.name;
  }

  /** The namespace of the Gateway. */
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
