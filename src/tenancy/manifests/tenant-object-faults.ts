import { isMap, type Json, list } from '../../contract/json';
import { shown } from '../../contract/printable';
import { annotationsOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import type { DangerousKind } from '../engines/contract/engine';
import { ADMISSION_GROUP } from '../guard/guard.facts';
import { GATEWAY_API } from '../tenancy.facts';
import { fieldFaults, METADATA_KINDS, SERVICE_KINDS } from './field-kinds';
import { groupOf, isOfCluster, titleOf } from './object-identity';
import { faultsOfRights } from './rights-of-tenants';
import type { FileFault, TenantObject } from './tenant-file';
import {
  DELIVERY_KINDS,
  ENDPOINT_KINDS,
  EXPERIMENTAL_GATEWAY_GROUP,
  LISTENER_KINDS,
  NGINX_TCP_CONFIG,
  NGINX_TCP_FLAG,
  OVERRIDING_GROUPS,
  QUOTA_KIND,
} from './tenant-manifests.facts';

/** The ground on which a file is judged. */
interface TenantGround {
  readonly tenant: string;
  /** The kinds that the engine cannot let tenants have. */
  readonly dangerous: readonly DangerousKind[];
  /** Whether the engine reads an annotation of a Service into what all share. */
  readonly readsFromServices?: (annotation: string) => boolean;
}

/** What of a tenant's objects cannot stand beside other tenants, or cannot be shared. */
export function faultsOfObjects(objects: readonly TenantObject[], ground: TenantGround): FileFault[] {
  return [
    ...twice(objects, ground.tenant),
    ...objects.flatMap((object) => fieldFaults(object, titleOf(object.json), object.json, METADATA_KINDS)),
    ...objects.flatMap((object) => faultsOfRights(object, ground.dangerous)),
    ...objects.flatMap((object) =>
      [
        foreign(object, ground),
        fenced(object, ground),
        read(object, ground),
        retired(object),
        ...serviceFaults(object),
      ].filter((fault) => fault !== undefined),
    ),
  ];
}

/** What an object is known by in the cluster: whoever says no namespace gets that of the tenant. */
export function identityOf(json: Json, tenant: string): string {
  const namespace = isOfCluster(json) ? '' : (json.metadata.namespace ?? tenant);
  return [groupOf(json), json.kind, namespace, json.metadata.name].join('/');
}

function twice(objects: readonly TenantObject[], tenant: string): FileFault[] {
  const first = new Map<string, TenantObject>();
  return objects.flatMap((object) => {
    const { json, at } = object;
    const key = identityOf(json, tenant);
    const before = first.get(key);
    first.set(key, before ?? object);
    const what = `${titleOf(json)} stands at ${before?.at} as well, and the second would overwrite the first`;
    return before ? [{ ruleId: 'tenant-object-twice', at, what, remedy: 'keep one, or give it another name' }] : [];
  });
}

function foreign({ json, at }: TenantObject, { tenant }: TenantGround): FileFault | undefined {
  const { namespace } = json.metadata;
  return namespace === undefined || namespace === tenant
    ? undefined
    : {
        ruleId: 'tenant-namespace',
        at,
        what: `${titleOf(json)} is in namespace '${namespace}', and the tenant is '${tenant}'`,
        remedy: `write '${tenant}', or no namespace; what is of another tenant belongs in a file of that one`,
      };
}

/** Kinds by which a tenant could reach into what is not its own. */
function fenced({ json, at }: TenantObject, ground: TenantGround): FileFault | undefined {
  const fence = FENCES.find(({ holds }) => holds(json, groupOf(json), ground));
  return (
    fence && {
      ruleId: 'tenant-fence',
      at,
      what: `${titleOf(json)} is of a kind that ${fence.why}, and belongs to the platform`,
      remedy: fence.remedy ?? 'take it out, and have the platform make it',
    }
  );
}

/** A group of kinds that the platform keeps to itself. */
interface Fence {
  readonly holds: (json: Json, group: string, ground: TenantGround) => boolean;
  readonly why: string;
  readonly remedy?: string;
}

const FENCES: readonly Fence[] = [
  {
    holds: ({ kind }, group) =>
      group === EXPERIMENTAL_GATEWAY_GROUP || (group === GATEWAY_API.group && LISTENER_KINDS.includes(kind)),
    why: 'gives out what tenants share',
    remedy: 'take it out: listeners and routes are made of the Services in the file',
  },
  {
    holds: ({ kind }, group) => group === ADMISSION_GROUP || (group === '' && kind === QUOTA_KIND),
    why: 'limits tenants',
  },
  {
    // an apply takes away labels that the file does not have, and annotations can give out ports
    holds: ({ kind }, group) => group === '' && kind === 'Namespace',
    why: 'says by labels and annotations who is a tenant, and with which limits',
    remedy: 'take it out: the platform makes the namespaces of tenants',
  },
  {
    holds: (_, group) => OVERRIDING_GROUPS.includes(group),
    why: 'has a controller of the platform write or let through what tenants may not',
  },
  {
    holds: ({ kind }, group) =>
      DELIVERY_KINDS.some((one) => one.group === group && (one.kinds === '*' || one.kinds.includes(kind))),
    why: 'has a delivery tool apply further manifests, which nothing judges here',
    remedy:
      'put the manifests themselves into the file, or have the platform make it with a service account of the tenant',
  },
  {
    holds: (json, group) => ENDPOINT_KINDS[json.kind] === group && addressesOf(json).length > 0,
    why: 'leads a Service to any address, such as that of a pod of another tenant',
    remedy: 'take it out, and let the Service select its pods',
  },
  {
    holds: ({ kind }, group, { dangerous }) =>
      dangerous.some((one) => one.group === group && isResource(kind, one.resource)),
    why: 'gives out what tenants share',
  },
];

/** Who is behind a Service; software that elects a leader brings an empty list along, and fills it later. */
function addressesOf({ subsets, endpoints }: Json): unknown[] {
  const written = list<Json>(subsets).flatMap((subset) => [
    ...list(subset?.addresses),
    ...list(subset?.notReadyAddresses),
  ]);
  return [...written, ...list(endpoints)];
}

/** Annotations by which a Service of any type reaches into what all tenants share. */
function read({ json, at }: TenantObject, { readsFromServices }: TenantGround): FileFault | undefined {
  const isService = json.kind === 'Service' && groupOf(json) === '';
  const keys = isService && readsFromServices ? Object.keys(annotationsOf(json)).filter(readsFromServices) : [];
  return keys.length === 0
    ? undefined
    : {
        ruleId: 'tenant-annotation',
        at,
        what: `${titleOf(json)} has annotations that reach the configuration of all tenants: ${keys.join(', ')}`,
        remedy: 'remove them; the API server would refuse the Service',
      };
}

/** Whether a kind is that of a resource, which is its plural. */
function isResource(kind: string, resource: string): boolean {
  const lower = kind.toLowerCase();
  return resource === `${lower}s` || resource === `${lower}es` || resource === lower.replace(/y$/, 'ies');
}

/** TCP through ingress-nginx. */
function retired({ json, at }: TenantObject): FileFault | undefined {
  const isTable = json.kind === 'ConfigMap' && json.metadata.name.endsWith(NGINX_TCP_CONFIG);
  const leads = isMap(json.data) && Object.values(json.data).some((value) => /^[^/\s]+\/[^:\s]+:\d+/.test(`${value}`));
  const isController =
    has(json, (text) => text.startsWith(NGINX_TCP_FLAG)) && has(json, (text) => text.includes('nginx'));
  return (isTable && leads) || isController
    ? {
        ruleId: 'ingress-nginx-retired',
        at,
        what: `${titleOf(json)} forwards TCP as ingress-nginx does, which is retired since March 2026 and gets no security fixes`,
        remedy:
          'take it out, and give each Service that it leads to type LoadBalancer: it gets its port at the shared address',
      }
    : undefined;
}

function has(value: unknown, is: (text: string) => boolean): boolean {
  return typeof value === 'string'
    ? is(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((inner) => has(inner, is));
}

/** What of a load balanced Service no ClusterIP Service behind a TCP engine can be. */
function serviceFaults({ json, at }: TenantObject): FileFault[] {
  if (!wantsLoadBalancer(json)) {
    return [];
  }
  const who = titleOf(json);
  const faults = fieldFaults({ at }, who, json, SERVICE_KINDS);
  const say = (ruleId: string, what: string, remedy: string) => faults.push({ ruleId, at, what, remedy });
  if (isMissing(json.spec.ports)) {
    say('tenant-port', `${who} has no ports`, 'write at least one');
  }
  for (const { port, protocol } of portsOf(json)) {
    if (typeof protocol === 'string' && !PROTOCOLS.includes(protocol)) {
      const what = `${who} has ${portInWords(port)} of protocol '${protocol}', which Kubernetes does not know`;
      say('tenant-protocol', what, 'write TCP; what the connections speak belongs in appProtocol');
    } else if (typeof protocol === 'string' && protocol !== 'TCP') {
      const remedy = 'put the Service in a file of its own and read it with Include: it keeps a balancer of its own';
      say(
        'tenant-protocol',
        `${who} has ${portInWords(port)} of protocol ${protocol}, and TCP alone is shared`,
        remedy,
      );
    } else if (!Number.isInteger(port) || port < 1 || port > 65535) {
      say(
        'tenant-port',
        `${who} has ${port === undefined ? 'a port without a number' : `the port ${shown(port)}`}`,
        'write a number from 1 to 65535',
      );
    }
  }
  if (json.spec.clusterIP === 'None') {
    say('tenant-headless', `${who} has clusterIP None, which no LoadBalancer can have`, 'take one of the two out');
  }
  return faults;
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

function portInWords(port: unknown): string {
  return port === undefined ? 'a port without a number' : `port ${typeof port === 'number' ? port : shown(port)}`;
}

/** Whether a list is empty; what is no list is told by itself. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
