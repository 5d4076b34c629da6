import { definedOrNothing, isMap, type Json, mapsIn } from '../contract/json';
import { GatewayAllowedRoutes } from './gateway-allowed-routes';
import type { GatewayListener } from './gateway-listener';
import { GatewayProtocol } from './gateway-protocol';
import { GatewayTlsMode } from './gateway-tls-mode';

// Gateways as manifests have them. Third-party ones may hold anything anywhere: what reads them never throws.

/** A listener as the manifest has it. */
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

/** The listeners that a manifest has. */
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
