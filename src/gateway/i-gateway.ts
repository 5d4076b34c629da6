import type { GatewayListener } from './options';

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
  listenerNamed(name: string): GatewayListener | undefined;
}
