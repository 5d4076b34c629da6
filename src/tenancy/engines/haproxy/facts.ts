// haproxytech/kubernetes-ingress v3.2.11: pkg/handler/tcp-cr.go, pkg/store/types-tcp-cr.go, pkg/store/convert.go, pkg/k8s/cr-tcp.go,
// pkg/service, pkg/annotations, pkg/haproxy/env, pkg/utils/flags.go, crs/definition, documentation/controller.md;
// haproxytech/client-native v6.2.4: models; haproxytech/helm-charts kubernetes-ingress-1.52.1: kubernetes-ingress/values.yaml;
// what becomes of tenants was seen with this version of the controller running.

import { NLB_AFTER_REMOVAL } from '../../../controllers/aws/notices.facts';
import type { Counted } from '../contract/publishing';

/** The version of its own kinds. */
export const HAPROXY_VERSION = 'ingress.v3.haproxy.org/v3';

/** The first version of the controller that has these kinds, and reads the class of them. */
export const HAPROXY_SINCE = '3.1';

/** The version that was read. */
export const HAPROXY_READ = '3.2';

/** The annotation by which an object of these kinds says whose it is. */
export const HAPROXY_CLASS_ANNOTATION = 'ingress.class';

/** What the controller puts before the namespace and the name of a frontend. */
export const FRONTEND_PREFIX = 'tcpcr';

/** What the controller strips from annotations before it reads them; a name without any prefix is read as well. */
export const HAPROXY_ANNOTATION_PREFIXES = ['haproxy.org/', 'haproxy.com/', 'ingress.kubernetes.io/'] as const;

/** The one of them that other controllers read as well, with names of their own. */
export const HAPROXY_COMMON_PREFIX = 'ingress.kubernetes.io/';

/**
 * Annotations of a Service that reach the configuration of all; from some the controller makes further names, such as
 * `cookie-persistence-no-dynamic` (pkg/annotations/annotations.go, pkg/annotations/service, pkg/service). With `server-crt` or
 * `server-ca` and any Secret that exists, of whatever namespace, the controller itself ends; with a large `scale-server-slots` it
 * has as many servers; a quote in `cookie-persistence-no-dynamic` makes HAProxy refuse the configuration of all.
 */
export const HAPROXY_SERVICE_ANNOTATIONS = [
  'abortonclose',
  'backend-config-snippet',
  'check',
  'check-http',
  'check-interval',
  'cookie-persistence',
  'cookie-persistence-no-dynamic',
  'cr-backend',
  'forwarded-for',
  'load-balance',
  'pod-maxconn',
  'scale-server-slots',
  'send-proxy-protocol',
  'server-ca',
  'server-crt',
  'server-proto',
  'server-slots',
  'server-ssl',
  'servers-increment',
  'standalone-backend',
  'timeout-check',
  'timeout-server',
] as const;

/** Ports that the pods of the controller use themselves, each with what for: HAProxy would share them silently. */
export const HAPROXY_OWN_PORTS: Readonly<Record<number, string>> = {
  1024: 'statistics',
  1042: 'health checks',
  6060: 'the metrics of the controller',
  6061: 'the default backend',
  10000: 'the peer that hands tables over at a reload',
};

/** Values of one line of the configuration, of 64 words and 2048 characters; with more, none of it is taken. */
export const VALUES_OF_LINE = 20;

/** Tenants whose connections one table counts. */
export const COUNTED_TENANTS = 10_000;

/** For how long an idle tenant is remembered, in milliseconds. */
export const TENANT_EXPIRY = 600_000;

/** Connections that a port takes beyond the limit of its tenant: those who are one too many must be taken to be refused. */
export const SPARE_CONNECTIONS = 64;

/**
 * What one list of suspended tenants is called: a key of a ConfigMap of the release, from which the controller writes a file of
 * patterns, at run time as well. Without the file all tenants are served: HAProxy knows the prefix since 3.0.
 * haproxytech/kubernetes-ingress v3.2.11: pkg/handler/pattern-files.go, documentation/controller.md; haproxy/haproxy v3.0.0:
 * doc/configuration.txt; haproxytech/helm-charts kubernetes-ingress-1.52.1: kubernetes-ingress/templates/_podspec.tpl (POD_NAMESPACE)
 */
export const SUSPENDED_TENANTS = { key: 'suspended', file: 'opt@patterns/suspended', suffix: '-tenants' } as const;

/** The labels that the chart gives its pods, the release beside them. */
export const CHART_NAME_LABEL = { 'app.kubernetes.io/name': 'kubernetes-ingress' } as const;
export const CHART_RELEASE_LABEL = 'app.kubernetes.io/instance';

/**
 * How long connections outlive a reload, which every change of ports makes; without it the controller says 30 minutes, and
 * then cuts them.
 */
export const HARD_STOP_AFTER = '24h';

/**
 * What pods get beyond their drain time. Their image is ended by SIGUSR1 (haproxytech/haproxy-docker-alpine, 3.2/Dockerfile), which its
 * supervisor takes for SIGTERM and passes on (fs/etc/s6-overlay/scripts/00-sigusr1): HAProxy then quits at once. The controller stops
 * nothing by itself (pkg/haproxy/process/s6-overlay.go).
 */
export const GRACE_BEYOND_DRAIN = 30;

/**
 * For how long a pod that is to go takes new connections by default. Values of the chart are made before the balancer is known: this is
 * enough for every one that is known.
 */
export const HAPROXY_LEAST_DRAIN = NLB_AFTER_REMOVAL;

/** What an NLB holds: docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-limits.html */
export const USUAL_PORTS = 50;

/**
 * What the pods count of a frontend. haproxy/haproxy v3.2.0: addons/promex/README; haproxytech/kubernetes-ingress v3.2.11:
 * pkg/handler/tcp-cr.go (names of frontends). The first rules that refuse are of connections, behind the PROXY protocol of sessions.
 */
export const HAPROXY_STATISTICS: HaproxyStatistics = {
  port: 1024,
  path: '/metrics',
  frontends: {
    haproxy_frontend_current_sessions: 'connections',
    haproxy_frontend_bytes_in_total: 'bytesIn',
    haproxy_frontend_bytes_out_total: 'bytesOut',
  },
  denied: ['haproxy_frontend_denied_connections_total', 'haproxy_frontend_denied_sessions_total'],
  label: 'proxy',
  frontendName: /^tcpcr_([a-z0-9-]+)_\1\.(.+)\.\d+$/,
};

interface HaproxyStatistics {
  readonly port: number;
  readonly path: string;
  readonly frontends: Readonly<Record<string, Counted | undefined>>;
  readonly denied: readonly string[];
  readonly label: string;
  /** The tenant and the Service. */
  readonly frontendName: RegExp;
}
