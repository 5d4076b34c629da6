import { definedOrNothing, isMap, type Json, mapsIn } from '../contract/json';
import { GATEWAY_GROUP, GATEWAY_KIND } from './gateway.facts';
import type { IGateway } from './gateway-class';
import { GatewayAllowedRoutes, GatewayProtocol } from './gateway-listener';
import { type GatewayListener, GatewayTlsMode } from './options';

// Gateways as manifests have them. Third-party ones may hold anything anywhere: what reads them never throws.

export function listenerJson(listener: GatewayListener): Json {
  const { name, port, protocol, hostname, tlsMode, certificateRefs, tlsOptions, allowedRoutes } = listener;
  const settings = definedOrNothing({
    certificateRefs: certificateRefs?.map(({ name, namespace }) => ({ group: '', kind: 'Secret', name, namespace })),
    options: tlsOptions,
  });
  const mode = tlsMode ?? (settings && GatewayTlsMode.TERMINATE);
  return {
    name,
    port,
    protocol: protocol.value,
    hostname,
    tls: definedOrNothing({ ...settings, mode }),
    allowedRoutes: allowedRoutes?._toJson(),
  };
}

export function listenersIn(gateway: Json): GatewayListener[] {
  return mapsIn(gateway.spec, 'listeners').map(listenerIn);
}

function listenerIn(json: Json): GatewayListener {
  const { name, port, protocol, hostname, tls, allowedRoutes } = json;
  return {
    name,
    port,
    protocol: GatewayProtocol._of(protocol),
    hostname: hostname || undefined,
    tlsMode: isMap(tls) ? modeOf(tls) : undefined,
    certificateRefs: mapsIn(tls, 'certificateRefs').map(({ name, namespace }) => ({ name, namespace })),
    tlsOptions: isMap(tls) && isMap(tls.options) ? tls.options : undefined,
    allowedRoutes: isMap(allowedRoutes) ? GatewayAllowedRoutes._of(allowedRoutes) : undefined,
  };
}

/** The API server writes `Terminate` where nothing is. */
function modeOf({ mode }: Json): GatewayTlsMode {
  return mode === GatewayTlsMode.PASSTHROUGH ? GatewayTlsMode.PASSTHROUGH : GatewayTlsMode.TERMINATE;
}

/** A Gateway, or a ListenerSet, that is made elsewhere, or that exists as YAML. */
export class ReferencedGateway implements IGateway {
  public constructor(
    public readonly gatewayName: string,
    public readonly namespace: string | undefined,
    private readonly known: () => GatewayListener[] | undefined,
    public readonly controllerName?: string,
    public readonly parentKind?: string,
  ) {}

  public get listeners(): GatewayListener[] | undefined {
    return this.known();
  }

  public findListener(name: string): GatewayListener | undefined {
    return this.listeners?.find((listener) => listener.name === name);
  }
}

/** Reference of a route to the Gateway or ListenerSet that it attaches to. */
export function parentRefJson(gateway: IGateway, sectionName?: string): Json {
  const { gatewayName: name, namespace, parentKind: kind = GATEWAY_KIND } = gateway;
  return {
    group: GATEWAY_GROUP,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(sectionName !== undefined && { sectionName }),
  };
}

export function gatewayTitle({ gatewayName, namespace, parentKind = GATEWAY_KIND }: IGateway): string {
  return `${parentKind} ${namespace === undefined ? '' : `${namespace}/`}${gatewayName}`;
}
