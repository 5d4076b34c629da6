import type { Document } from '../contract/attachment';
import type { PortHolderKind, RuntimePublisher } from '../contract/runtime-publisher';
import { type HaproxySettings, haproxyDocuments } from './documents';
import { HAPROXY_CLASS_ANNOTATION, HAPROXY_VERSION } from './facts';

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
