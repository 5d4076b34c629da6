import type {
  AttachedPort,
  AttachedService,
  Attachment,
  Document,
  PortHolderKind,
  RuntimePublisher,
} from '../contract/publishing';
import {
  COUNTED_TENANTS,
  FRONTEND_PREFIX,
  HAPROXY_CLASS_ANNOTATION,
  HAPROXY_VERSION,
  SPARE_CONNECTIONS,
  SUSPENDED_TENANTS,
  TENANT_EXPIRY,
  VALUES_OF_LINE,
} from './facts';

export interface HaproxySettings {
  readonly ingressClass: string;
  /** True if the balancer in front speaks the PROXY protocol; connections without its header are then refused. */
  readonly proxyProtocol?: boolean;
  /** True if the pods listen on IPv4, and on IPv6; IPv4 alone without. */
  readonly families?: { readonly ipv4: boolean; readonly ipv6: boolean };
}

/**
 * Begins a comment. The controller writes `limit` and `period` behind the name of the filter even where neither is set, with
 * nothing behind them, and HAProxy would refuse the whole configuration.
 */
const END_OF_LINE = ' #';

type BalancerName = Attachment['balancer'];

/**
 * One object for each tenant, with a frontend for each port. Names of frontends are compared across namespaces although the
 * controller puts the namespace before them, and of two equal ones the younger is left out with a line in the log: so they
 * hold the namespace.
 */
export function haproxyDocuments(attachment: Attachment, settings: HaproxySettings): Document[] {
  const spec = attachment.services.flatMap((service) =>
    service.ports.map((port) => frontendOf(attachment, service, port, settings)),
  );
  return spec.length === 0 ? [] : [tcpObject(attachment.name, attachment.namespace, settings, spec)];
}

/**
 * The table in which tenants are counted. It belongs to the platform: where a tenant's own port held it, a tenant that
 * deletes the Service of that port would leave the others without, and HAProxy takes no configuration at all that names a
 * table which is not there. Beside it is a Service without pods, since the controller makes nothing without one.
 */
export function haproxyTable(balancer: BalancerName, settings: HaproxySettings): Document[] {
  const { name, namespace } = balancer;
  const service = { name: `${name}-tenants`, port: 1 };
  const entry = {
    name: tableName(balancer),
    frontend: {
      name: tableName(balancer),
      mode: 'tcp',
      stick_table: {
        type: 'string',
        keylen: 63,
        size: COUNTED_TENANTS,
        expire: TENANT_EXPIRY,
        store: 'conn_cur,bytes_in_rate(1s),bytes_out_rate(1s)',
      },
    },
    service,
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: service.name, namespace },
      spec: { clusterIP: 'None', ports: [{ port: service.port }] },
    },
    tcpObject(name, namespace, settings, [entry]),
  ];
}

export function suspendedTenantsIn({ release }: { readonly release: string }): string {
  return `${release}${SUSPENDED_TENANTS.suffix}`;
}

function tcpObject(name: string, namespace: string | undefined, settings: HaproxySettings, spec: Document[]): Document {
  return {
    apiVersion: HAPROXY_VERSION,
    kind: 'TCP',
    metadata: { name, namespace, annotations: { [HAPROXY_CLASS_ANNOTATION]: settings.ingressClass } },
    spec,
  };
}

function tableName({ name, namespace }: BalancerName): string {
  return `${namespace ?? 'default'}.${name}.tenants`;
}

function frontendOf(
  attachment: Attachment,
  { name: service, sourceRanges }: AttachedService,
  { port, servicePort }: AttachedPort,
  settings: HaproxySettings,
): Document {
  const { namespace, balancer, connections, bytesPerSecond } = attachment;
  const name = `${namespace}.${service}.${servicePort}`;
  const key = `str(${namespace})`;
  const table = `${FRONTEND_PREFIX}_${balancer.namespace ?? 'default'}_${tableName(balancer)}`;
  // behind the PROXY protocol the address of the client is known once its header was read
  const type = settings.proxyProtocol ? 'session' : 'connection';
  const suspended = { type, action: 'reject', cond: 'if', cond_test: `{ ${key} -m str -f ${SUSPENDED_TENANTS.file} }` };
  const refused = sourceRanges ? [{ type, action: 'reject', cond: 'unless', cond_test: 'clients' }] : [];
  const counted = connections === undefined ? [] : counting(type, connections, key, table);
  const directions = bytesPerSecond === undefined ? [] : ['in', 'out'];
  const rules = [
    suspended,
    ...refused,
    ...counted,
    ...directions.map((way) => ({
      type: 'content',
      action: 'set-bandwidth-limit',
      bandwidth_limit_name: `tenant-${way}${END_OF_LINE}`,
    })),
  ];
  return {
    name,
    frontend: {
      name,
      mode: 'tcp',
      binds: bindsAt(port, settings),
      ...(connections === undefined ? {} : { maxconn: connections + SPARE_CONNECTIONS }),
      ...(sourceRanges ? { acl_list: clientLists(sourceRanges) } : {}),
      ...(directions.length > 0
        ? {
            filter_list: directions.map((way) => ({
              type: `bwlim-${way}`,
              bandwidth_limit_name: `tenant-${way}`,
              limit: bytesPerSecond,
              key,
              table,
            })),
          }
        : {}),
      tcp_request_rule_list: rules,
    },
    service: { name: service, port: servicePort },
  };
}

function counting(type: string, connections: number, key: string, table: string): Document[] {
  return [
    { type, action: 'track-sc', track_stick_counter: 0, track_key: key, track_table: table },
    { type, action: 'reject', cond: 'if', cond_test: `{ sc0_conn_cur gt ${connections} }` },
  ];
}

function bindsAt(port: number, { families, proxyProtocol }: HaproxySettings): Document {
  const more = proxyProtocol ? { accept_proxy: true } : {};
  return {
    ...(families?.ipv4 === false ? {} : { v4: { name: 'v4', port, ...more } }),
    ...(families?.ipv6 ? { v6: { name: 'v6', address: '::', port, v6only: true, ...more } } : {}),
  };
}

/** Several lists of one name are one list. */
function clientLists(ranges: readonly string[]): Document[] {
  const sorted = [...new Set(ranges)].sort();
  const lines = Math.ceil(sorted.length / VALUES_OF_LINE);
  return Array.from({ length: lines }, (_, i) => ({
    acl_name: 'clients',
    criterion: 'src',
    value: sorted.slice(i * VALUES_OF_LINE, (i + 1) * VALUES_OF_LINE).join(' '),
  }));
}

/** Ports are those of frontends. An object that belongs to another installation has ports of other pods. */
const FRONTENDS: PortHolderKind = {
  kind: 'TCP',

  isAt: ({ metadata }, _, settings) => metadata.annotations?.[HAPROXY_CLASS_ANNOTATION] === settings.ingressClass,

  portsOf: (object) => frontendsOf(object).map(portOf),

  heldBy: (object) => Object.fromEntries(frontendsOf(object).map((entry) => [entry.service?.port, portOf(entry)])),

  find: (name, servicePort, { holders }, balancers) => {
    const found = balancers.flatMap((balancer) =>
      holders
        .filter(({ metadata }) => metadata.name === balancer.name)
        .flatMap((holder) =>
          frontendsOf(holder)
            .filter(({ service }) => service?.name === name && service.port === servicePort)
            .map((entry) => ({ at: balancer.name, holder, route: undefined, port: portOf(entry), byHost: false })),
        ),
    );
    return found[0];
  },
};

/**
 * HAProxy's own objects, which have no status: what is written counts as published, and the log of the controller alone says
 * whether it is served.
 */
export const HAPROXY_AT_RUN_TIME: RuntimePublisher = {
  publish: (attachment, settings) => haproxyDocuments(attachment, settings as unknown as HaproxySettings),
  kinds: [{ apiVersion: HAPROXY_VERSION, kind: 'TCP', resource: 'tcps' }],
  balancer: { apiVersion: 'v1', kind: 'Service', resource: 'services' },
  holder: FRONTENDS,
  tellsConflicts: false,
  reportsPorts: false,
  isConflicted: () => false,
  pending: ({ balancer, holder, port }) => {
    if (!holder || !frontendsOf(holder).some((entry) => portOf(entry) === port)) {
      return 'the TCP object is not written yet';
    }
    return balancer?.status?.loadBalancer?.ingress?.length > 0
      ? undefined
      : 'the Service of the shared load balancer has no address yet';
  },
};

function frontendsOf(object: Document | undefined): Document[] {
  return Array.isArray(object?.spec) ? object.spec : [];
}

function portOf({ frontend }: Document): number {
  const { v4, v6 } = frontend?.binds ?? {};
  return (v4 ?? v6)?.port;
}
