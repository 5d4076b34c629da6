import { definedOrNothing, isMap, type Json, mapsIn } from '../contract/json';
import { GATEWAY_API_VERSION, GATEWAY_GROUP, GATEWAY_KIND } from './gateway.facts';
import { GatewayAllowedRoutes } from './gateway-allowed';
import { GatewayProtocol } from './gateway-protocol';
import type { IGateway } from './i-gateway';
import { type GatewayListener, type GatewayProps, GatewayTlsMode } from './options';

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

  public listenerNamed(name: string): GatewayListener | undefined {
    return this.listeners?.find((listener) => listener.name === name);
  }
}

/** How routes name the Gateway, or the ListenerSet, that they attach to. */
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

/** An object of the Gateway API with the metadata of its props. */
export function gatewayObject(
  kind: string,
  { name, namespace, annotations, labels }: Pick<GatewayProps, 'name' | 'namespace' | 'annotations' | 'labels'>,
  spec: Json,
) {
  const metadata = definedOrNothing({ name, namespace, annotations, labels });
  return { apiVersion: GATEWAY_API_VERSION, kind, metadata, spec };
}
