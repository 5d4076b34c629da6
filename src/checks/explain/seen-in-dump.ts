import { isMap, type Json, listIn, mapIn } from '../../contract/json';
import { OTHER_CONTROLLERS } from '../../controllers/marks.facts';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { METALLB_GROUP, METALLB_POOL } from '../../installations/metal-lb/facts';
import { groupOf } from '../../rules/objects';
import { classOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { CLOUDS } from '../context/evidence.facts';
import { providerIdOf } from '../context/seen';

/** What speaks for an empty pool: every pool of the dump says that it has no free address. */
export function emptyPools(objects: readonly Json[]): string | undefined {
  const pools = objects.filter((object) => object.kind === METALLB_POOL && groupOf(object) === METALLB_GROUP);
  const isEmpty = ({ status }: Json) =>
    isMap(status) && status.availableIPv4 === 0 && (status.availableIPv6 === undefined || status.availableIPv6 === 0);
  return pools.length > 0 && pools.every(isEmpty)
    ? `no pool of these files has a free address: ${pools.map(nameOf).join(', ')}`
    : undefined;
}

/** The controllers that run where the Nodes of a dump are; undefined if these do not say it. */
export function controllersOfNodes(objects: readonly Json[]): readonly string[] | undefined {
  const ids = objects
    .filter(({ kind }) => kind === 'Node')
    .map((json) => providerIdOf({ json }))
    .filter((id) => id !== '');
  const isOf = (start: string) => ids.some((id) => id.startsWith(start));
  const known = CLOUDS.filter(({ providerId }) => isOf(providerId)).flatMap(({ own, others }) => [own, ...others]);
  const others = OTHER_CONTROLLERS.filter(({ providerIds = [] }) => providerIds.some(isOf)).map(({ name }) => name);
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

/** What a quota counts of load balanced Services. */
const COUNTED = 'services.loadbalancers';

/** What speaks for a quota: one of the namespace allows no further load balancer. */
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
