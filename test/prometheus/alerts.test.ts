import { App, Chart } from 'cdk8s';
import { LoadBalancerAlert, LoadBalancerAlerts, WatchedController, WebhookCertificate } from '../../src';
import type { Json } from '../../src/contract/json';
import { everythingWatched, lbcIn, objectsOf } from '../alerts/watched-app';
import { AUTHORITY } from '../installations/certificates';
import { differences, type Fired, faultsOfRules, type RecordedSeries, unworded } from './harness/promtool';

const specOf = (alerts: LoadBalancerAlerts): Json =>
  objectsOf(alerts).find(({ kind }) => kind === 'PrometheusRule')?.spec;

const SPEC = specOf(everythingWatched());
const LBC = 'load_balancer_controller="kube-system/aws-load-balancer-controller"';
const CCM = 'load_balancer_controller="kube-system/aws-cloud-controller-manager"';
const STRIMZI = 'load_balancer_controller="kafka/strimzi-cluster-operator"';
const METALLB = 'load_balancer_controller="metallb-system/metallb"';
const ENVOY_GATEWAY = 'load_balancer_controller="envoy-gateway-system/envoy-gateway"';
const ENVOY = 'shared_load_balancer="infra/shared"';
const WATCHED = 'shared_load_balancer="infra/tcp"';
const HAPROXY = 'shared_load_balancer="infra/edge"';

const labelsOf = (...selectors: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    selectors.flatMap((text) => [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );

const warning = (...selectors: readonly string[]): Fired => ({
  labels: { severity: 'warning', ...labelsOf(...selectors) },
});
const critical = (...selectors: readonly string[]): Fired => ({
  labels: { severity: 'critical', ...labelsOf(...selectors) },
});

const ECHO = 'namespace="shop",service="echo"';
const BALANCED: RecordedSeries = { [`kube_service_spec_type{${ECHO},uid="1",type="LoadBalancer"}`]: '1x300' };
const SERVED: RecordedSeries = {
  ...BALANCED,
  [`kube_service_status_load_balancer_ingress{${ECHO},uid="1",ip="192.0.2.1",hostname=""}`]: '1x300',
};
const SLICE = 'namespace="shop",endpointslice="echo-abcde"';
const KNOWN_SLICE: RecordedSeries = {
  [`kube_endpointslice_labels{${SLICE},label_kubernetes_io_service_name="echo"}`]: '1x300',
};
const endpoint = (address: string, node: string, ready: string, slice = SLICE) =>
  `kube_endpointslice_endpoints{${slice},address="${address}",endpoint_nodename="${node}",ready="${ready}"}`;
const OTHER_SLICE = 'namespace="shop",endpointslice="other-abcde"';
const OTHER: RecordedSeries = {
  [`kube_endpointslice_labels{${OTHER_SLICE},label_kubernetes_io_service_name="other"}`]: '1x300',
  [endpoint('10.0.0.9', 'c', 'true', OTHER_SLICE)]: '1x300',
};
const quota = (type: string, amount: number) => ({
  [`kube_resourcequota{namespace="shop",resourcequota="own",resource="services.loadbalancers",type="${type}"}`]: `${amount}x300`,
});
const FOUND =
  'apiserver_validating_admission_policy_check_total{policy="load-balancer-alerts",policy_binding="load-balancer-alerts",error_type="invalid_error"';
const group = (target: string, healthy: string): RecordedSeries => ({
  [`aws_target_group_info{${LBC},${ECHO},target_group="${target}"}`]: '1x300',
  [`aws_networkelb_healthy_host_count_minimum{job="cloudwatch",target_group="${target}",load_balancer="net/echo/1"}`]:
    healthy,
});
const ON_TWO_NODES: RecordedSeries = {
  ...KNOWN_SLICE,
  [endpoint('10.0.0.1', 'a', 'true')]: '1x300',
  [endpoint('10.0.0.2', 'a', 'true')]: '1x300',
  [endpoint('10.0.0.3', 'b', 'true')]: '1x300',
  [endpoint('10.0.0.4', 'c', 'false')]: '1x300',
};
const certificate = (name: string, days: number, key = 'namespace') => ({
  [`certmanager_certificate_expiration_timestamp_seconds{name="${name}",${key}="kube-system"}`]: `${days * 86_400}x300`,
});
const SERVING = 'aws-load-balancer-serving-cert';
const envoy = (metric: string, route: string, values: string, pod = 'a') => ({
  [`${metric}{${ENVOY},pod="${pod}",envoy_cluster_name="${route}"}`]: values,
});
const haproxy = (metric: string, frontend: string, values: string) => ({
  [`${metric}{${HAPROXY},pod="a",proxy="${frontend}"}`]: values,
});
const ACTIVE = 'envoy_cluster_upstream_cx_active';
const RECEIVED = 'envoy_cluster_upstream_cx_rx_bytes_total';
const SENT = 'envoy_cluster_upstream_cx_tx_bytes_total';
const refused = (tenant: string, reason: string, values: string) => ({
  [`shared_load_balancer_tenant_refused_connections_total{${WATCHED},tenant="${tenant}",reason="${reason}"}`]: values,
});
const MINUTE = 60 * 2 ** 20;

interface Case {
  readonly when: string;
  readonly series: RecordedSeries;
  readonly at: number;
  readonly fires: readonly Fired[];
}

const A = LoadBalancerAlert;

/** For every alert, series on which it fires, and such on which it must not. */
const CASES: Readonly<Record<LoadBalancerAlert, readonly Case[]>> = {
  [A.PENDING]: [
    { when: 'a Service has no address for 15 minutes', series: BALANCED, at: 15, fires: [warning(ECHO)] },
    {
      when: 'two replicas of kube-state-metrics say so',
      series: { ...BALANCED, [`kube_service_spec_type{${ECHO},uid="1",type="LoadBalancer",pod="b"}`]: '1x300' },
      at: 15,
      fires: [warning(ECHO)],
    },
    { when: 'it has none for 14 minutes', series: BALANCED, at: 14, fires: [] },
    { when: 'it has an address', series: SERVED, at: 60, fires: [] },
    {
      when: 'it is deleted',
      series: { ...BALANCED, [`kube_service_deletion_timestamp{${ECHO},uid="1"}`]: '0x300' },
      at: 60,
      fires: [],
    },
    {
      when: 'it is of another type',
      series: { [`kube_service_spec_type{${ECHO},uid="1",type="ClusterIP"}`]: '1x300' },
      at: 60,
      fires: [],
    },
  ],
  [A.TERMINATING]: [
    {
      when: 'a Service was deleted 31 minutes ago',
      series: { ...SERVED, [`kube_service_deletion_timestamp{${ECHO},uid="1"}`]: '0x300' },
      at: 31,
      fires: [warning(ECHO)],
    },
    {
      when: 'it was deleted 30 minutes ago',
      series: { ...SERVED, [`kube_service_deletion_timestamp{${ECHO},uid="1"}`]: '0x300' },
      at: 30,
      fires: [],
    },
    { when: 'it was not deleted', series: SERVED, at: 60, fires: [] },
    {
      when: 'it is of another type',
      series: {
        [`kube_service_spec_type{${ECHO},uid="1",type="ClusterIP"}`]: '1x300',
        [`kube_service_deletion_timestamp{${ECHO},uid="1"}`]: '0x300',
      },
      at: 60,
      fires: [],
    },
  ],
  [A.WITHOUT_FINALIZER]: [
    {
      when: 'the API server counts the first one',
      series: { [`${FOUND},enforcement_action="audit"}`]: '_x10 1x300' },
      at: 15,
      fires: [critical('policy="load-balancer-alerts"')],
    },
    {
      when: 'it counts one more',
      series: { [`${FOUND},enforcement_action="audit"}`]: '4x100 5x200' },
      at: 105,
      fires: [critical('policy="load-balancer-alerts"')],
    },
    {
      when: 'it counted some long ago',
      series: { [`${FOUND},enforcement_action="audit"}`]: '4x300' },
      at: 200,
      fires: [],
    },
    {
      when: 'it counts Services that have one',
      series: { [`${FOUND},enforcement_action="allow"}`]: '0+1x300' },
      at: 100,
      fires: [],
    },
    {
      when: 'it counts for another policy',
      series: {
        'apiserver_validating_admission_policy_check_total{policy="other",enforcement_action="audit"}': '0+1x300',
      },
      at: 100,
      fires: [],
    },
  ],
  [A.WITHOUT_ENDPOINTS]: [
    { when: 'a Service has no slice', series: { ...SERVED, ...OTHER }, at: 5, fires: [critical(ECHO)] },
    {
      when: 'none of its endpoints is ready',
      series: { ...SERVED, ...KNOWN_SLICE, [endpoint('10.0.0.1', 'a', 'false')]: '1x300' },
      at: 5,
      fires: [critical(ECHO)],
    },
    {
      when: 'one is ready',
      series: { ...SERVED, ...ON_TWO_NODES },
      at: 60,
      fires: [],
    },
    {
      when: 'one does not say whether it is ready',
      series: { ...SERVED, ...KNOWN_SLICE, [endpoint('10.0.0.1', 'a', '')]: '1x300' },
      at: 60,
      fires: [],
    },
    { when: 'it has no address yet', series: { ...BALANCED, ...OTHER }, at: 60, fires: [] },
    {
      when: 'it was deleted, and its pods with it',
      series: { ...SERVED, ...OTHER, [`kube_service_deletion_timestamp{${ECHO},uid="1"}`]: '0x300' },
      at: 60,
      fires: [],
    },
    { when: 'kube-state-metrics does not say whose slices are', series: SERVED, at: 60, fires: [] },
  ],
  [A.QUOTA_NEARLY_USED]: [
    {
      when: 'four of five are used',
      series: { ...quota('used', 4), ...quota('hard', 5) },
      at: 10,
      fires: [warning('namespace="shop",resourcequota="own"')],
    },
    { when: 'three of five are used', series: { ...quota('used', 3), ...quota('hard', 5) }, at: 10, fires: [] },
    { when: 'none is allowed', series: { ...quota('used', 0), ...quota('hard', 0) }, at: 10, fires: [] },
    {
      when: 'another resource is used up',
      series: {
        'kube_resourcequota{namespace="shop",resourcequota="own",resource="pods",type="used"}': '5x300',
        'kube_resourcequota{namespace="shop",resourcequota="own",resource="pods",type="hard"}': '5x300',
      },
      at: 10,
      fires: [],
    },
  ],
  [A.METRICS_MISSING]: [
    {
      when: 'nothing says anything',
      series: { 'up{job="other"}': '1x300' },
      at: 20,
      fires: [warning()],
    },
    {
      when: 'slices have no labels',
      series: { ...BALANCED, [`kube_endpointslice_labels{${SLICE}}`]: '1x300' },
      at: 20,
      fires: [warning()],
    },
    { when: 'all is there', series: { ...BALANCED, ...KNOWN_SLICE }, at: 20, fires: [] },
  ],
  [A.CONTROLLER_DOWN]: [
    {
      when: 'no pod of one answers, and those of the others do',
      series: {
        [`up{${LBC},pod="a"}`]: '0x300',
        ...Object.fromEntries([CCM, STRIMZI, METALLB, ENVOY_GATEWAY].map((one) => [`up{${one},pod="a"}`, '1x300'])),
      },
      at: 15,
      fires: [critical(LBC)],
    },
    {
      when: 'one pod of each answers',
      series: {
        [`up{${LBC},pod="b"}`]: '0x300',
        ...Object.fromEntries(
          [LBC, CCM, STRIMZI, METALLB, ENVOY_GATEWAY].map((one) => [`up{${one},pod="a"}`, '1x300']),
        ),
      },
      at: 15,
      fires: [],
    },
  ],
  [A.SYNC_FAILING]: [
    {
      when: 'the reconciler of Services fails three times an hour',
      series: {
        [`controller_runtime_reconcile_errors_total{${LBC},pod="a",controller="service"}`]: '0+1x10 10+0x60 10+0.1x200',
        [`controller_runtime_reconcile_errors_total{${LBC},pod="a",controller="ingress"}`]: '0x300',
      },
      at: 130,
      fires: [warning(LBC, 'controller="service"')],
    },
    {
      when: 'it fails twice an hour',
      series: {
        [`controller_runtime_reconcile_errors_total{${LBC},pod="a",controller="service"}`]: '0x100 1x20 2x200',
      },
      at: 140,
      fires: [],
    },
    {
      when: 'a controller of others fails',
      series: { 'controller_runtime_reconcile_errors_total{pod="a",controller="service"}': '0+1x300' },
      at: 100,
      fires: [],
    },
    {
      when: 'the service controller tries again and again',
      series: { [`workqueue_retries_total{${CCM},pod="a",name="service"}`]: '0+1x300' },
      at: 100,
      fires: [warning(CCM)],
    },
    {
      when: 'it fails for nodes',
      series: {
        [`workqueue_retries_total{${CCM},pod="a",name="service"}`]: '0x300',
        [`service_controller_nodesync_error_total{${CCM},pod="a"}`]: '0+1x300',
      },
      at: 100,
      fires: [warning(CCM)],
    },
    {
      when: 'another queue tries again',
      series: { [`workqueue_retries_total{${CCM},pod="a",name="node"}`]: '0+1x300' },
      at: 100,
      fires: [],
    },
    {
      when: 'the operator fails for a Kafka',
      series: {
        [`strimzi_reconciliations_failed_total{${STRIMZI},kind="Kafka",namespace="kafka"}`]: '0+0.5x300',
        [`strimzi_reconciliations_failed_total{${STRIMZI},kind="KafkaUser",namespace="kafka"}`]: '7x300',
      },
      at: 100,
      fires: [warning(STRIMZI, 'kind="Kafka"')],
    },
    {
      when: 'MetalLB fails to process changes',
      series: { [`metallb_k8s_client_update_errors_total{${METALLB},pod="speaker-a"}`]: '0+1x300' },
      at: 100,
      fires: [warning(METALLB, 'pod="speaker-a"')],
    },
    {
      when: 'MetalLB refuses its configuration',
      series: {
        [`metallb_k8s_client_config_stale_bool{${METALLB},pod="controller-a"}`]: '1x300',
        [`metallb_k8s_client_config_stale_bool{${METALLB},pod="speaker-a"}`]: '0x300',
      },
      at: 100,
      fires: [warning(METALLB, 'pod="controller-a"')],
    },
    {
      when: 'MetalLB fails at nothing',
      series: {
        [`metallb_k8s_client_update_errors_total{${METALLB},pod="speaker-a"}`]: '9x300',
        [`metallb_k8s_client_config_stale_bool{${METALLB},pod="speaker-a"}`]: '0x300',
      },
      at: 100,
      fires: [],
    },
    {
      when: 'Envoy Gateway cannot write Services',
      series: {
        [`resource_apply_total{${ENVOY_GATEWAY},kind="Service",name="a",status="failure"}`]: '0+1x300',
        [`resource_apply_total{${ENVOY_GATEWAY},kind="Service",name="a",status="success"}`]: '0+9x300',
      },
      at: 100,
      fires: [warning(ENVOY_GATEWAY, 'kind="Service"')],
    },
    {
      when: 'its proxies refuse what it sends',
      series: { [`xds_nack_total{${ENVOY_GATEWAY},nodeID="a"}`]: '0+1x300' },
      at: 100,
      fires: [warning(ENVOY_GATEWAY)],
    },
    {
      when: 'it writes all that it wants',
      series: {
        [`resource_apply_total{${ENVOY_GATEWAY},kind="Service",name="a",status="success"}`]: '0+9x300',
        [`xds_nack_total{${ENVOY_GATEWAY},nodeID="a"}`]: '4x300',
      },
      at: 100,
      fires: [],
    },
  ],
  [A.CLOUD_REFUSES]: [
    {
      when: 'AWS answers AccessDenied',
      series: {
        [`aws_api_call_permission_errors_total{${LBC},pod="a",service="EC2",operation="DescribeSubnets",status_code="403",error_code="UnauthorizedOperation"}`]:
          '0+1x300',
      },
      at: 70,
      fires: [critical(LBC, 'service="EC2",operation="DescribeSubnets",error_code="UnauthorizedOperation"')],
    },
    {
      when: 'a quota is used up',
      series: {
        [`aws_api_call_service_limit_exceeded_errors_total{${LBC},pod="a",service="Elastic Load Balancing v2",operation="CreateLoadBalancer",status_code="400",error_code="TooManyLoadBalancers"}`]:
          '0+1x300',
      },
      at: 70,
      fires: [
        critical(
          LBC,
          'service="Elastic Load Balancing v2",operation="CreateLoadBalancer",error_code="TooManyLoadBalancers"',
        ),
      ],
    },
    {
      when: 'it refused something long ago',
      series: {
        [`aws_api_call_permission_errors_total{${LBC},pod="a",service="EC2",operation="DescribeSubnets",status_code="403",error_code="UnauthorizedOperation"}`]:
          '5x300',
      },
      at: 200,
      fires: [],
    },
  ],
  [A.TARGETS_UNHEALTHY]: [
    {
      when: 'pods are ready on two nodes and one is healthy',
      series: { ...ON_TWO_NODES, ...group('tg/1', '1x300') },
      at: 20,
      fires: [critical(ECHO)],
    },
    {
      when: 'the target group of one port of two is the unhealthy one, and CloudWatch is late',
      series: { ...ON_TWO_NODES, ...group('tg/1', '2x300'), ...group('tg/2', '0 _x9 0 _x9 0 _x9 0') },
      at: 25,
      fires: [critical(ECHO)],
    },
    {
      when: 'both nodes are healthy, and one without ready pods is not',
      series: { ...ON_TWO_NODES, ...group('tg/1', '2x300') },
      at: 60,
      fires: [],
    },
    { when: 'the targets are pods', series: { ...ON_TWO_NODES, ...group('tg/1', '3x300') }, at: 60, fires: [] },
    {
      when: 'CloudWatch says nothing',
      series: { ...ON_TWO_NODES, [`aws_target_group_info{${LBC},${ECHO},target_group="tg/1"}`]: '1x300' },
      at: 60,
      fires: [],
    },
  ],
  [A.POOL_NEARLY_USED]: [
    {
      when: 'four addresses of five are used',
      series: {
        [`metallb_allocator_addresses_total{${METALLB},pod="a",pool="edge"}`]: '5x300',
        [`metallb_allocator_addresses_in_use_total{${METALLB},pod="a",pool="edge"}`]: '4x300',
      },
      at: 10,
      fires: [warning(METALLB, 'pool="edge"')],
    },
    {
      when: 'three of five are used, and a pool has none',
      series: {
        [`metallb_allocator_addresses_total{${METALLB},pod="a",pool="edge"}`]: '5x300',
        [`metallb_allocator_addresses_in_use_total{${METALLB},pod="a",pool="edge"}`]: '3x300',
        [`metallb_allocator_addresses_total{${METALLB},pod="a",pool="none"}`]: '0x300',
        [`metallb_allocator_addresses_in_use_total{${METALLB},pod="a",pool="none"}`]: '0x300',
      },
      at: 10,
      fires: [],
    },
  ],
  [A.SESSION_DOWN]: [
    {
      when: 'one session of two is down',
      series: {
        [`metallb_bgp_session_up{${METALLB},pod="speaker-a",peer="192.0.2.1:179"}`]: '0x300',
        [`metallb_bgp_session_up{${METALLB},pod="speaker-b",peer="192.0.2.1:179"}`]: '1x300',
      },
      at: 10,
      fires: [critical(METALLB, 'pod="speaker-a",peer="192.0.2.1:179"')],
    },
    {
      when: 'it comes back',
      series: { [`metallb_bgp_session_up{${METALLB},pod="speaker-a",peer="192.0.2.1:179"}`]: '0x8 1x300' },
      at: 20,
      fires: [],
    },
  ],
  [A.CERTIFICATE_ENDING]: [
    {
      when: 'it ends in ten days',
      series: certificate(SERVING, 10),
      at: 61,
      fires: [warning(LBC, `name="${SERVING}"`)],
    },
    {
      when: 'its namespace is in the other label',
      series: certificate(SERVING, 10, 'exported_namespace'),
      at: 61,
      fires: [warning(LBC, `name="${SERVING}"`)],
    },
    {
      when: 'it was never issued',
      series: certificate(SERVING, 0),
      at: 61,
      fires: [warning(LBC, `name="${SERVING}"`)],
    },
    { when: 'it ends in thirty days', series: certificate(SERVING, 30), at: 120, fires: [] },
    { when: 'a certificate of others ends', series: certificate('other', 1), at: 120, fires: [] },
  ],
  [A.TENANT_CONNECTIONS]: [
    {
      when: 'a tenant has 300 of 400 connections, over two ports and two proxies of Envoy',
      series: {
        ...envoy(ACTIVE, 'tcproute/team-a/web-443/rule/-1', '100x300'),
        ...envoy(ACTIVE, 'tcproute/team-a/web-443/rule/-1', '100x300', 'b'),
        ...envoy(ACTIVE, 'tlsroute/team-a/db/rule/-1', '100x300'),
        ...envoy(ACTIVE, 'tcproute/team-b/web-444/rule/-1', '100x300'),
        ...envoy(ACTIVE, 'xds_cluster', '900x300'),
      },
      at: 10,
      fires: [warning(ENVOY, 'tenant="team-a"')],
    },
    {
      when: 'a tenant of HAProxy has 300 of 400',
      series: {
        ...haproxy('haproxy_frontend_current_sessions', 'tcpcr_team-a_team-a.web.443', '300x300'),
        ...haproxy('haproxy_frontend_current_sessions', 'tcpcr_team-b_team-b.web.443', '100x300'),
        ...haproxy('haproxy_frontend_current_sessions', 'stats', '900x300'),
      },
      at: 10,
      fires: [warning(HAPROXY, 'tenant="team-a"')],
    },
    {
      when: 'it has all of few',
      series: envoy(ACTIVE, 'tcproute/team-a/web-443/rule/-1', '99x300'),
      at: 60,
      fires: [],
    },
    {
      when: 'each has half',
      series: {
        ...envoy(ACTIVE, 'tcproute/team-a/web-443/rule/-1', '500x300'),
        ...envoy(ACTIVE, 'tcproute/team-b/web-443/rule/-1', '500x300'),
      },
      at: 60,
      fires: [],
    },
  ],
  [A.TENANT_TRAFFIC]: [
    {
      when: 'a tenant moves 15 MiB a second of 16, in both directions',
      series: {
        ...envoy(RECEIVED, 'tcproute/team-a/web-443/rule/-1', `0+${10 * MINUTE}x300`),
        ...envoy(SENT, 'tcproute/team-a/web-443/rule/-1', `0+${5 * MINUTE}x300`),
        ...envoy(RECEIVED, 'tcproute/team-b/web-443/rule/-1', `0+${MINUTE}x300`),
        ...envoy(SENT, 'tcproute/team-b/web-443/rule/-1', '0x300'),
      },
      at: 20,
      fires: [warning(ENVOY, 'tenant="team-a"')],
    },
    {
      when: 'a tenant of HAProxy moves all of 12',
      series: {
        ...haproxy('haproxy_frontend_bytes_in_total', 'tcpcr_team-a_team-a.web.443', `0+${MINUTE}x300`),
        ...haproxy('haproxy_frontend_bytes_out_total', 'tcpcr_team-a_team-a.web.443', `0+${11 * MINUTE}x300`),
      },
      at: 20,
      fires: [warning(HAPROXY, 'tenant="team-a"')],
    },
    {
      when: 'it moves all of nine',
      series: {
        ...envoy(RECEIVED, 'tcproute/team-a/web-443/rule/-1', `0+${8 * MINUTE}x300`),
        ...envoy(SENT, 'tcproute/team-a/web-443/rule/-1', `0+${MINUTE}x300`),
      },
      at: 60,
      fires: [],
    },
    {
      when: 'two move as much',
      series: Object.assign(
        {},
        ...['team-a', 'team-b'].flatMap((tenant) =>
          [RECEIVED, SENT].map((metric) => envoy(metric, `tcproute/${tenant}/web-443/rule/-1`, `0+${9 * MINUTE}x300`)),
        ),
      ),
      at: 60,
      fires: [],
    },
  ],
  [A.TENANT_AT_LIMIT]: [
    {
      when: 'a tenant was refused connections beyond its limit',
      series: {
        ...refused('team-a', 'limit', '0x50 7x250'),
        ...refused('team-b', 'limit', '3x300'),
        ...refused('team-c', 'other', '0+9x300'),
      },
      at: 55,
      fires: [warning(WATCHED, 'tenant="team-a"')],
    },
    {
      when: 'that was more than ten minutes ago',
      series: refused('team-a', 'limit', '0x50 7x250'),
      at: 65,
      fires: [],
    },
    {
      when: 'clients were refused for another reason',
      series: refused('team-a', 'other', '0+9x300'),
      at: 30,
      fires: [],
    },
  ],
};

test('Prometheus takes every alert, with its templates', () => {
  expect(faultsOfRules(SPEC)).toBe('');
  expect(
    faultsOfRules({ groups: [{ name: 'wrong', rules: [{ alert: 'Wrong', expr: 'sum by (', annotations: {} }] }] }),
  ).toMatch(/parse error|unclosed/);
});

test('every alert has series on which it fires, and such on which it must not', () => {
  const lacking = Object.entries(CASES).filter(
    ([, cases]) => !cases.some(({ fires }) => fires.length > 0) || cases.every(({ fires }) => fires.length > 0),
  );
  expect(lacking.map(([alert]) => alert)).toEqual([]);
});

describe.each(Object.entries(CASES))('%s', (alert, cases) => {
  test.each(cases.filter(({ fires }) => fires.length > 0))('fires when $when', ({ series, at, fires }) => {
    expect(differences(unworded(SPEC), { series, at, alert, fires })).toBe('');
    expect(differences(unworded(SPEC), { series, at, alert, fires: [] })).toMatch(/exp:/);
  });

  test.each(cases.filter(({ fires }) => fires.length === 0))('is quiet when $when', ({ series, at, fires }) => {
    expect(differences(unworded(SPEC), { series, at, alert, fires })).toBe('');
  });
});

test('an alert names the Service, the command and the page', () => {
  const rule = SPEC.groups[0].rules.find((one: Json) => one.alert === A.PENDING);
  const filled = (text: string) =>
    text.replaceAll('{{ $labels.namespace }}', 'shop').replaceAll('{{ $labels.service }}', 'echo');
  const annotations = Object.fromEntries(
    Object.entries<string>(rule.annotations).map(([key, text]) => [key, filled(text)]),
  );
  expect(annotations.summary).toBe('Service shop/echo has no address');
  expect(
    differences(SPEC, { series: BALANCED, at: 20, alert: A.PENDING, fires: [{ ...warning(ECHO), annotations }] }),
  ).toBe('');
});

test('a certificate in a Secret of the user is watched by its Secret', () => {
  const app = new App();
  const certificate = WebhookCertificate.fromSecret({ name: 'own-tls', caBundle: AUTHORITY });
  const controllers = [WatchedController.awsLoadBalancerController(lbcIn(app, certificate))];
  const spec = unworded(specOf(new LoadBalancerAlerts(new Chart(app, 'alerts'), 'Alerts', { controllers })));
  const series = (days: number) => ({
    'x509_cert_not_after{secret_namespace="kube-system",secret_name="own-tls",secret_key="tls.crt"}': `${days * 86_400}x300`,
  });
  const alert = A.CERTIFICATE_ENDING;
  const fires = [warning(LBC, 'secret_name="own-tls"')];
  expect(differences(spec, { series: series(20), at: 61, alert, fires })).toBe('');
  expect(differences(spec, { series: series(22), at: 61, alert, fires: [] })).toBe('');
});

test('thresholds move what fires', () => {
  const strict = unworded(
    specOf(everythingWatched({ thresholds: { pendingMinutes: 3, quotaPercent: 50, tenantConnections: 10 } })),
  );
  const used = { ...quota('used', 1), ...quota('hard', 2) };
  const fires = [warning('namespace="shop",resourcequota="own"')];
  expect(differences(strict, { series: BALANCED, at: 3, alert: A.PENDING, fires: [warning(ECHO)] })).toBe('');
  expect(differences(strict, { series: used, at: 10, alert: A.QUOTA_NEARLY_USED, fires })).toBe('');
});
