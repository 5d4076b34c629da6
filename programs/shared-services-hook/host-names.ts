import type { Document } from '../../src/tenancy/engines/contract/publishing';
import type { HookConfig, HookTenant } from '../../src/tenancy/runtime/program-config';
import { type Finding, isOf, ofKind, type SyncRequest } from './cluster-state';
import { few } from './few';

/** Names that one Service may have. */
const MOST_NAMES = 16;

/** The names of the server that TLS clients ask a Service for; nothing where it wants a port of its own. */
export function hostNamesOf({ metadata }: Document, { keys }: HookConfig): string[] | undefined {
  const text: unknown = metadata.annotations?.[keys.hostnames];
  if (typeof text !== 'string') {
    return undefined;
  }
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names)].sort();
}

/** Why a Service cannot have its host names; nothing where it can. */
export function hostNameRefusal(service: Document, { domain }: HookTenant, config: HookConfig): Finding | undefined {
  const names = hostNamesOf(service, config);
  if (!names) {
    return undefined;
  }
  const { hostnames } = config.keys;
  const foreign = names.filter((name) => !isIn(domain, name));
  if (config.tlsPort === undefined) {
    return refused(
      'HostNamesNotServed',
      `the shared load balancer does not route by host name: remove the annotation ${hostnames}, and use a port of this namespace`,
    );
  }
  if (domain === undefined) {
    return refused(
      'HostNameNotAllowed',
      `this namespace has no domain for host names: ask the platform for one, or remove the annotation ${hostnames}`,
    );
  }
  if (names.length > MOST_NAMES) {
    return refused(
      'TooManyHostNames',
      `${names.length} host names are more than the ${MOST_NAMES} of one Service: split it`,
    );
  }
  if (foreign.length > 0) {
    return refused(
      'HostNameNotAllowed',
      `${few(foreign.map((name) => name || '(nothing)'))}: write names of one label in ${domain}, such as ${service.metadata.name}.${domain}`,
    );
  }
  if ((service.spec.ports ?? []).length !== 1) {
    return refused(
      'HostNamesNeedOnePort',
      `a Service with the annotation ${hostnames} must have one port: give the others a Service of their own`,
    );
  }
  return undefined;
}

/** A host name that another in the namespace has. */
export interface HostNameConflict {
  readonly name: string;
  /** What has it: `Service db`, or `TLSRoute web` where the platform, an operator or the tenant wrote it. */
  readonly holder: string;
}

/**
 * The host names that others in the namespace have: of two that come at once the older route keeps a name.
 *
 * @param set the name of the ListenerSet that has a listener for each of the names
 */
export function hostNameConflicts(
  names: readonly string[],
  { object: service, related }: SyncRequest,
  set: string,
): HostNameConflict[] {
  const routes = ofKind(related, 'TLSRoute')
    .filter(({ metadata }) => metadata.namespace === service.metadata.namespace)
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  const own = routes.filter((route) => isOf(route, service));
  const others = routes.filter((route) => !isOf(route, service));
  return names.flatMap((name) => {
    const mine = own.find((route) => hasName(route, name));
    const before = others.find(
      (other) => (hasName(other, name) || hasStarOver(other, name, set)) && !(mine && orderOf(mine) < orderOf(other)),
    );
    return before ? [{ name, holder: holderOf(before) }] : [];
  });
}

function holderOf({ metadata }: Document): string {
  const publisher = serviceOf(metadata);
  return publisher ? `Service ${publisher.name}` : `TLSRoute ${metadata.name}`;
}

function serviceOf({ ownerReferences }: Document): Document | undefined {
  return ((ownerReferences ?? []) as Document[]).find(({ kind }) => kind === 'Service');
}

function hasName({ spec }: Document, name: string): boolean {
  return ((spec?.hostnames ?? []) as string[]).includes(name);
}

/** A star has the name at a listener of just that name, and Envoy takes no listener where two routes have one name. */
function hasStarOver({ spec }: Document, name: string, set: string): boolean {
  const isThere = ((spec?.parentRefs ?? []) as Document[]).some((parent) => parent.name === set);
  return isThere && ((spec?.hostnames ?? []) as string[]).includes(`*.${name.split('.').slice(1).join('.')}`);
}

/** What no Service owns is the platform's, or was made by hand: it comes first. */
function orderOf({ metadata }: Document): string {
  return [serviceOf(metadata) ? 1 : 0, metadata.creationTimestamp, metadata.name].join(' ');
}

/** One label in the domain of the tenant: a record for all names leads to no deeper one. */
function isIn(domain: string | undefined, name: string): boolean {
  const label = domain !== undefined && name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : '';
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
}

function refused(reason: string, message: string): Finding {
  return { status: 'False', reason, message };
}
