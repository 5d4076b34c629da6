import type { Json } from '../../contract/late-rendering';
import { shown } from '../../contract/printable';
import { isMap, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import type { DangerousKind } from '../engines/shared-engine';
import { ADMISSION_GROUP } from '../guard/guard.facts';
import { GATEWAY_API } from '../tenancy.facts';
import { fieldFaults, METADATA_KINDS, SERVICE_KINDS } from './field-kinds';
import { groupOf, isOfCluster, titleOf } from './object-identity';
import { faultsOfRights } from './rights-of-tenants';
import type { FileFault, TenantObject } from './tenant-file';
import {
  EXPERIMENTAL_GATEWAY_GROUP,
  LISTENER_KINDS,
  NGINX_TCP_CONFIG,
  NGINX_TCP_FLAG,
  OVERRIDING_GROUPS,
  QUOTA_KIND,
} from './tenant-manifests.facts';

/** The ground on which a file is judged. */
export interface TenantGround {
  readonly tenant: string;
  /** The kinds that the engine cannot let tenants have. */
  readonly dangerous: readonly DangerousKind[];
  /** The labels that make a namespace one of a tenant. */
  readonly namespaceLabels: { readonly [key: string]: string };
}

/** What of a tenant's objects cannot stand beside other tenants, or cannot be shared. */
export function faultsOfObjects(objects: readonly TenantObject[], ground: TenantGround): FileFault[] {
  return [
    ...twice(objects, ground.tenant),
    ...objects.flatMap((object) => fieldFaults(object, titleOf(object.json), object.json, METADATA_KINDS)),
    ...objects.flatMap((object) => faultsOfRights(object, ground.dangerous)),
    ...objects.flatMap((object) =>
      [foreign(object, ground), fenced(object, ground), retired(object), ...serviceFaults(object)].filter(
        (fault) => fault !== undefined,
      ),
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
    return before ? [{ ruleId: 'tenant-object-twice', at, what, wayOut: 'keep one, or give it another name' }] : [];
  });
}

function foreign({ json, at }: TenantObject, { tenant, namespaceLabels }: TenantGround): FileFault | undefined {
  const { kind, metadata } = json;
  const isNamespace = kind === 'Namespace' && groupOf(json) === '';
  const namespace = isNamespace ? metadata.name : metadata.namespace;
  if (namespace !== undefined && namespace !== tenant) {
    const what = `${titleOf(json)} ${isNamespace ? 'is' : 'is in'} namespace '${namespace}', and the tenant is '${tenant}'`;
    return {
      ruleId: 'tenant-namespace',
      at,
      what,
      wayOut: `write '${tenant}', or no namespace; what is of another tenant belongs in a file of that one`,
    };
  }
  const label = isNamespace
    ? Object.keys(namespaceLabels).find((key) => isMap(metadata.labels) && metadata.labels[key] !== undefined)
    : undefined;
  return label === undefined
    ? undefined
    : {
        ruleId: 'tenant-fence',
        at,
        what: `${titleOf(json)} has the label ${label}, which says who is a tenant`,
        wayOut: 'leave it to the platform',
      };
}

/** Kinds by which a tenant could reach into what is not its own. */
function fenced({ json, at }: TenantObject, { dangerous }: TenantGround): FileFault | undefined {
  const group = groupOf(json);
  const { kind } = json;
  const isOfListeners =
    group === EXPERIMENTAL_GATEWAY_GROUP || (group === GATEWAY_API.group && LISTENER_KINDS.includes(kind));
  const isDangerous = dangerous.some((one) => one.group === group && isResource(kind, one.resource));
  const isOverriding = OVERRIDING_GROUPS.includes(group);
  const isFence = group === ADMISSION_GROUP || (group === '' && kind === QUOTA_KIND);
  const why = isFence
    ? 'limits tenants'
    : isOverriding
      ? 'has a controller of the platform write or let through what tenants may not'
      : 'gives out what tenants share';
  return isOfListeners || isDangerous || isOverriding || isFence
    ? {
        ruleId: 'tenant-fence',
        at,
        what: `${titleOf(json)} is of a kind that ${why}, and belongs to the platform`,
        wayOut: isOfListeners
          ? 'take it out: listeners and routes are made of the Services in the file'
          : 'take it out, and have the platform make it',
      }
    : undefined;
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
        wayOut:
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
  const say = (ruleId: string, what: string, wayOut: string) => faults.push({ ruleId, at, what, wayOut });
  if (isMissing(json.spec.ports)) {
    say('tenant-port', `${who} has no ports`, 'write at least one');
  }
  for (const { port, protocol } of portsOf(json)) {
    if (typeof protocol === 'string' && !PROTOCOLS.includes(protocol)) {
      const what = `${who} has ${portInWords(port)} of protocol '${protocol}', which Kubernetes does not know`;
      say('tenant-protocol', what, 'write TCP; what the connections speak belongs in appProtocol');
    } else if (typeof protocol === 'string' && protocol !== 'TCP') {
      const wayOut = 'put the Service in a file of its own and read it with Include: it keeps a balancer of its own';
      say(
        'tenant-protocol',
        `${who} has ${portInWords(port)} of protocol ${protocol}, and TCP alone is shared`,
        wayOut,
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
