import type { Json } from '../contract/late-rendering';
import { GatewayAllowedRoutes } from './gateway-allowed-routes';
import type { GatewayListener } from './gateway-listener';
import { GatewayProtocol } from './gateway-protocol';
import { GatewayTlsMode } from './gateway-tls-mode';

// Gateways as manifests have them. Those of strangers may hold anything anywhere: what reads them never throws.

/** The map in a field, or an empty one. */
export function mapIn(json: unknown, field: string): Json {
  const found = isMap(json) ? json[field] : undefined;
  return isMap(found) ? found : {};
}

/** The maps of the list in a field. */
export function mapsIn(json: unknown, field: string): Json[] {
  return listIn(json, field).filter(isMap);
}

/** The list in a field, or an empty one. */
export function listIn(json: unknown, field: string): unknown[] {
  const found = isMap(json) ? json[field] : undefined;
  return Array.isArray(found) ? found : [];
}

/** Whether a value is a map. */
export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nothing where a map says nothing at all. */
export function saidAtAll(map: Json): Json | undefined {
  const entries = Object.entries(map).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A listener as the manifest has it. */
export function listenerJson(listener: GatewayListener): Json {
  const { name, port, protocol, hostname, tlsMode, certificateRefs, tlsOptions, allowedRoutes } = listener;
  const settings = saidAtAll({
    certificateRefs: certificateRefs?.map(({ name, namespace }) => ({ group: '', kind: 'Secret', name, namespace })),
    options: tlsOptions,
  });
  const mode = tlsMode ?? (settings && GatewayTlsMode.TERMINATE);
  return {
    name,
    port,
    protocol: protocol.value,
    hostname,
    tls: saidAtAll({ ...settings, mode }),
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

/** The API server writes `Terminate` where nothing stands. */
function modeOf({ mode }: Json): GatewayTlsMode {
  return mode === GatewayTlsMode.PASSTHROUGH ? GatewayTlsMode.PASSTHROUGH : GatewayTlsMode.TERMINATE;
}
