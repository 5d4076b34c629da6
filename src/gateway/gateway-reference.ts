import type { GatewayListener } from './gateway-listener';
import type { IGateway } from './i-gateway';

/** A Gateway, or a ListenerSet, that is made elsewhere. */
export class ReferencedGateway implements IGateway {
  public constructor(
    public readonly gatewayName: string,
    public readonly namespace?: string,
    public readonly listeners?: GatewayListener[],
    public readonly controllerName?: string,
    public readonly parentKind?: string,
  ) {}

  public listenerNamed(name: string): GatewayListener | undefined {
    return this.listeners?.find((listener) => listener.name === name);
  }
}
