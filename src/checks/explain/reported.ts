import { isMap, type Json, list, listIn, mapIn, printable } from '../../contract/json';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import { METALLB_GROUP, METALLB_POOL } from '../../installations/metal-lb/facts';
import { groupOf } from '../../rules/objects';
import { classOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { providerIdOf } from '../context/cluster-seen';
import { CLOUDS } from '../context/evidence.facts';
import { SUCCESSES } from './causes.facts';

/** What a controller reported of an object: an event about it, or a condition in its status. */
export interface Reported {
  readonly from: 'event' | 'condition';
  readonly reason: string;
  readonly message: string;
  readonly at?: string;
}

const LONGEST = 400;

export function reportedInWords({ from, reason, message, at }: Reported): string {
  const cut = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  const words = cut.replace(/\s+/g, ' ').trim();
  return printable(`${from} ${reason}${at ? ` at ${at}` : ''}${words && `: ${words}`}`);
}

/**
 * What was reported of an object that is still true, the newest first: what goes before the last success is history, and for an
 * object that is being deleted also what goes before its deletion.
 */
export function reportedOf(object: Json, objects: readonly Json[]): Reported[] {
  const { kind, metadata = {} } = object;
  const events = objects
    .filter((event) => event.kind === 'Event' && isAbout(event, kind, metadata))
    .map(eventOf)
    .sort((a, b) => compare(b.at ?? '', a.at ?? ''));
  const success = events.findIndex(({ reason }) => (SUCCESSES as readonly string[]).includes(reason));
  const deleted = text(metadata.deletionTimestamp);
  const fresh = events
    .slice(0, success < 0 || deleted !== '' ? undefined : success)
    .filter(({ at, isWarning }) => isWarning && (deleted === '' || at === undefined || at >= deleted))
    .map(({ isWarning: _, ...event }) => event);
  return [...conditionsOf(object), ...fresh];
}

export function hasEvents({ kind, metadata = {} }: Json, objects: readonly Json[]): boolean {
  return objects.some((event) => event.kind === 'Event' && isAbout(event, kind, metadata));
}

function isAbout(event: Json, kind: string, { name, namespace, uid }: Json): boolean {
  const about = event.involvedObject ?? event.regarding;
  return (
    isMap(about) &&
    about.kind === kind &&
    about.name === name &&
    (about.namespace ?? event.metadata?.namespace) === namespace &&
    (about.uid === undefined || uid === undefined || about.uid === uid)
  );
}

function eventOf(event: Json): Reported & { readonly isWarning: boolean } {
  const series = isMap(event.series) ? event.series : {};
  const at = [series.lastObservedTime, event.lastTimestamp, event.eventTime, event.firstTimestamp]
    .map(text)
    .find(Boolean);
  return {
    from: 'event',
    reason: text(event.reason),
    message: text(event.message ?? event.note),
    ...(at !== undefined && { at }),
    isWarning: event.type !== 'Normal',
  };
}

function conditionsOf({ status }: Json): Reported[] {
  return list<Json>(isMap(status) ? status.conditions : undefined)
    .filter((condition) => isMap(condition) && isWrong(condition))
    .map(({ type, reason, message, lastTransitionTime }) => ({
      from: 'condition' as const,
      reason: text(reason) || text(type),
      message: text(message),
      ...(text(lastTransitionTime) !== '' && { at: text(lastTransitionTime) }),
    }));
}

function isWrong({ type, status }: Json): boolean {
  const isBad = /Error$|^NotReady$|^Warning$|Failed$|Conflict/.test(text(type));
  return isBad ? status !== 'False' : status === 'False';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What speaks for an empty pool: every pool of the dump says that it has no free address. */
export function emptyPools(objects: readonly Json[]): string | undefined {
  const pools = objects.filter((object) => object.kind === METALLB_POOL && groupOf(object) === METALLB_GROUP);
  const isEmpty = ({ status }: Json) =>
    isMap(status) && status.availableIPv4 === 0 && (status.availableIPv6 === undefined || status.availableIPv6 === 0);
  return pools.length > 0 && pools.every(isEmpty)
    ? `no pool of these files has a free address: ${pools.map(nameOf).join(', ')}`
    : undefined;
}

export function controllersOfNodes(objects: readonly Json[]): readonly string[] | undefined {
  const ids = objects
    .filter(({ kind }) => kind === 'Node')
    .map((json) => providerIdOf({ json }))
    .filter((id) => id !== '');
  const isOf = (start: string) => ids.some((id) => id.startsWith(start));
  const known = CLOUDS.filter(({ providerId }) => isOf(providerId)).flatMap(({ own, others }) => [own, ...others]);
  const others = VENDOR_MARKS.filter(({ providerIds = [] }) => providerIds.some(isOf)).map(({ id }) => id);
  return ids.length === 0 ? undefined : [...known, METALLB_CONTROLLER, ...others];
}

/** What speaks for a port of a node that is not free: another Service without a class has it, and has an address. */
export function portTaken(service: Json, objects: readonly Json[]): string | undefined {
  const wanted = portsOf(service).map(portInWords);
  for (const other of objects) {
    const isSame =
      other.metadata?.name === service.metadata?.name && other.metadata?.namespace === service.metadata?.namespace;
    const isServed = wantsLoadBalancer(other) && listIn(mapIn(other.status, 'loadBalancer'), 'ingress').length > 0;
    const port =
      isServed && !isSame && classOf(other) === undefined
        ? portsOf(other)
            .map(portInWords)
            .find((one) => wanted.includes(one))
        : undefined;
    if (port !== undefined) {
      const { namespace } = mapIn(other, 'metadata');
      return `port ${port} is taken by Service ${typeof namespace === 'string' ? `${namespace}/` : ''}${nameOf(other)}, which has an address`;
    }
  }
  return undefined;
}

function portInWords({ port, protocol = 'TCP' }: Json): string {
  return `${port}/${protocol}`;
}

const COUNTED = 'services.loadbalancers';

export function fullQuota(namespace: unknown, objects: readonly Json[]): string | undefined {
  const full = objects.find(
    ({ kind, metadata, status }) =>
      kind === 'ResourceQuota' &&
      isMap(metadata) &&
      metadata.namespace === namespace &&
      isMap(status) &&
      isMap(status.hard) &&
      isMap(status.used) &&
      Number(textOrNumber(status.used[COUNTED])) >= Number(textOrNumber(status.hard[COUNTED])),
  );
  return full && `quota ${nameOf(full)} allows ${full.status.hard[COUNTED]} ${COUNTED}, and as many are used`;
}

function textOrNumber(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : Number.NaN;
}

function nameOf({ metadata }: Json): string {
  const { name } = isMap(metadata) ? metadata : {};
  return typeof name === 'string' ? name : 'without a name';
}
