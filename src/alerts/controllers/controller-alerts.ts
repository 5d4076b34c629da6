import {
  CCM_METRICS,
  CERTIFICATE_EXPIRY,
  ENVOY_GATEWAY_METRICS,
  HEALTHY_HOSTS,
  LBC_METRICS,
  METALLB_METRICS,
  RECONCILE_ERRORS,
  SECRET_EXPIRY,
  STRIMZI_FAILED,
} from '../alerts.facts';
import { LoadBalancerAlert } from '../options';
import { type AlertRule, label, OWN_PAGE, quoted, selector } from '../rules/alert-rule';
import { READY_ENDPOINTS } from '../rules/service-alerts';
import type { ScrapeTarget, WatchThresholds } from '../rules/watched';

/** Certificates of the webhooks of a controller. */
export interface WatchedCertificates {
  readonly namespace: string;
  /** Objects of cert-manager, by their names. */
  readonly certificates: readonly string[];
  /** The Secret, where none of these makes it. */
  readonly secret?: string;
}

/** An alert of a controller. */
type ControllerAlert = (target: ScrapeTarget, thresholds: WatchThresholds) => AlertRule;

const WINDOW = '[1h]';
const PENDING_PAGE = 'stuck-in-pending.md';

/** Of all pods, for one of them is the leader; with a selector kubectl prints the last ten lines unless it is asked for more. */
const logsOf = ({ namespace, podLabels }: ScrapeTarget) =>
  `kubectl logs -n ${namespace} -l ${Object.entries(podLabels)
    .map((pair) => pair.join('='))
    .join(',')} --since=1h --tail=-1 --prefix`;

/** How often something happened in an hour, by some labels. */
function often(metric: string, target: ScrapeTarget, by: readonly string[], matchers = ''): string {
  const grouping = by.length > 0 ? ` by (${by.join(', ')})` : '';
  return `sum${grouping} (increase(${metric}{${selector(target.labels)}${matchers}}${WINDOW}))`;
}

/** No pod of a controller answers Prometheus. */
export const down: ControllerAlert = (target, { downMinutes }) => ({
  alert: LoadBalancerAlert.CONTROLLER_DOWN,
  expr: `absent(up{${selector(target.labels)}} == 1)`,
  minutes: downMinutes,
  severity: 'critical',
  summary: `No pod of ${target.name} answers`,
  description: `Prometheus has reached no pod of ${target.name} in namespace ${target.namespace} for ${downMinutes} minutes. While it is away, Services get no address, keep stale targets, and stay in Terminating.`,
  command: `kubectl get pods -n ${target.namespace} -o wide`,
  remedy: 'start it with the cluster name, class and permissions that it had',
  page: PENDING_PAGE,
  labels: target.labels,
});

function failing(target: ScrapeTarget, expr: string, what: string): AlertRule {
  return {
    alert: LoadBalancerAlert.SYNC_FAILING,
    expr,
    minutes: 10,
    severity: 'warning',
    summary: `${target.name} fails again and again`,
    description: `${what} It tries again by itself, with longer and longer pauses; what it serves stays as it was.`,
    command: logsOf(target),
    remedy: 'read the events of the object that its log names: manifest, permissions, quota, or a webhook in the way',
    page: PENDING_PAGE,
    labels: target.labels,
  };
}

const TIMES = '{{ $value | printf "%.0f" }} times in an hour';

/** Reconcilers of the AWS Load Balancer Controller. */
export const lbcFailing: ControllerAlert = (target, { failuresPerHour }) =>
  failing(
    target,
    `${often(RECONCILE_ERRORS, target, ['controller'])} >= ${failuresPerHour}`,
    `The reconciler ${label('controller')} of ${target.name} failed ${TIMES}.`,
  );

/** The service controller of a cloud controller manager: its queue counts what it has to do again. */
export const ccmFailing: ControllerAlert = (target, { failuresPerHour }) =>
  failing(
    target,
    `${often(CCM_METRICS.retries, target, [], `,name=${quoted(CCM_METRICS.queue)}`)} >= ${failuresPerHour}\nor ${often(CCM_METRICS.nodeErrors, target, [])} >= ${failuresPerHour}`,
    `The service controller of ${target.name} failed ${TIMES}, for a Service or for the nodes behind all of them.`,
  );

/** The operator of Kafka. */
export const strimziFailing: ControllerAlert = (target, { failuresPerHour }) =>
  failing(
    target,
    `${often(STRIMZI_FAILED, target, ['kind'])} >= ${failuresPerHour}`,
    `${target.name} failed to reconcile objects of kind ${label('kind')} ${TIMES}.`,
  );

/** MetalLB: what it could not do, and a configuration that it does not take. */
export const metalLbFailing: ControllerAlert = (target, { failuresPerHour }) =>
  failing(
    target,
    `${often(METALLB_METRICS.updateErrors, target, ['pod'])} >= ${failuresPerHour}\nor max by (pod) (${METALLB_METRICS.stale}{${selector(target.labels)}}) == 1`,
    `Pod ${label('pod')} of MetalLB fails to process changes, or works with an old configuration because it refuses the new one.`,
  );

/** Envoy Gateway: objects that it cannot write, and configuration that the proxies refuse. */
export const envoyGatewayFailing: ControllerAlert = (target, { failuresPerHour }) =>
  failing(
    target,
    `${often(ENVOY_GATEWAY_METRICS.applied, target, ['kind'], ',status="failure"')} >= ${failuresPerHour}\nor ${often(ENVOY_GATEWAY_METRICS.refused, target, [])} >= ${failuresPerHour}`,
    `${target.name} failed ${TIMES} to write its objects, or its proxies refused what it sent: changes of tenants do not take effect.`,
  );

/** Calls that AWS refuses for good. */
export const cloudRefuses: ControllerAlert = (target) => {
  const by = ['service', 'operation', 'error_code'];
  return {
    alert: LoadBalancerAlert.CLOUD_REFUSES,
    expr: `${often(LBC_METRICS.permissionErrors, target, by)} > 0\nor ${often(LBC_METRICS.limitErrors, target, by)} > 0`,
    minutes: 5,
    severity: 'critical',
    summary: `AWS refuses ${label('operation')} to ${target.name}`,
    description: `AWS answered ${label('operation')} of ${label('service')} with ${label('error_code')}: ${target.name} may not do it, or a quota of the account is used up. No balancer that needs it is made, changed or deleted.`,
    command: logsOf(target),
    remedy:
      'give the role what it lacks; or raise the quota, delete balancers that no Service owns, share one balancer',
    page: 'how-to/cloud-permissions.md',
    labels: target.labels,
  };
};

/**
 * Under the policy Local a node without pods fails its health checks by design, so what counts is that each node with ready
 * pods is a healthy target; with targets that are pods there are at least as many of them as nodes.
 */
export const targetsUnhealthy: ControllerAlert = (target, { targetsMinutes }) => ({
  alert: LoadBalancerAlert.TARGETS_UNHEALTHY,
  expr: `min by (namespace, service) (
  max by (namespace, service, target_group) (${LBC_METRICS.targetGroups}{${selector(target.labels)}})
    * on (target_group) group_left ()
  max by (target_group) (last_over_time(${HEALTHY_HOSTS}[20m]))
)
< on (namespace, service)
count by (namespace, service) (count by (namespace, service, endpoint_nodename) (${READY_ENDPOINTS}))`,
  minutes: targetsMinutes,
  severity: 'critical',
  summary: `Service ${label('namespace')}/${label('service')} has fewer healthy targets than nodes with ready pods`,
  description: `The load balancer of Service ${label('namespace')}/${label('service')} has {{ $value }} healthy targets, and ready pods run on more nodes than that: health checks fail where pods are ready.`,
  command: `kubectl get targetgroupbindings -n ${label('namespace')} -o custom-columns=NAME:.metadata.name,SERVICE:.spec.serviceRef.name,ARN:.spec.targetGroupARN`,
  remedy:
    'let the balancer reach the health check port of nodes or pods (security groups, network policies), and compare the health check with what the pods answer',
  page: 'explanation/traffic-policy.md',
});

/** An address pool of MetalLB. */
export const poolNearlyUsed: ControllerAlert = (target, { poolPercent }) => {
  const by = 'max by (pool)';
  const of = (metric: string) => `${by} (${metric}{${selector(target.labels)}})`;
  return {
    alert: LoadBalancerAlert.POOL_NEARLY_USED,
    expr: `100 * ${of(METALLB_METRICS.inUse)} / (${of(METALLB_METRICS.capacity)} > 0) >= ${poolPercent}`,
    minutes: 5,
    severity: 'warning',
    summary: `Address pool ${label('pool')} is nearly used up`,
    description: `Pool ${label('pool')} of MetalLB is used to {{ $value | printf "%.0f" }} %. A Service for which it has no address waits for ever.`,
    command: `kubectl get ipaddresspools.metallb.io -n ${target.namespace} -o custom-columns=NAME:.metadata.name,ADDRESSES:.spec.addresses,FREE4:.status.availableIPv4,FREE6:.status.availableIPv6`,
    remedy: 'add addresses to the pool, or free some',
    page: PENDING_PAGE,
    labels: target.labels,
  };
};

/** A BGP session of MetalLB. */
export const sessionDown: ControllerAlert = (target, { downMinutes }) => ({
  alert: LoadBalancerAlert.SESSION_DOWN,
  expr: `min by (pod, peer) (${METALLB_METRICS.sessionUp}{${selector(target.labels)}}) == 0`,
  minutes: downMinutes,
  severity: 'critical',
  summary: `The BGP session with ${label('peer')} is down`,
  description: `Pod ${label('pod')} of MetalLB has had no BGP session with ${label('peer')} for ${downMinutes} minutes: its node announces no address to that router.`,
  command: `kubectl logs -n ${target.namespace} ${label('pod')} --all-containers --since=1h`,
  remedy:
    'see whether the router and the node reach each other at port 179, and that the numbers and passwords of both fit',
  page: PENDING_PAGE,
  labels: target.labels,
});

/** When the certificates of the webhooks of a controller end. */
export function certificateEnding({ namespace, certificates, secret }: WatchedCertificates): ControllerAlert {
  return (target, { certificateDays }) => {
    const named = `name=~${quoted(certificates.join('|'))}`;
    const ends =
      certificates.length > 0
        ? ['namespace', 'exported_namespace'].map(
            (key) => `min by (name) (${CERTIFICATE_EXPIRY}{${named},${key}=${quoted(namespace)}})`,
          )
        : [
            `min by (secret_name) (${SECRET_EXPIRY}{secret_namespace=${quoted(namespace)},secret_name=${quoted(secret ?? '')}})`,
          ];
    const left = (end: string) => `${end} - time() < ${certificateDays * 86_400}`;
    const of = certificates.length > 0 ? `Certificate ${label('name')}` : `The certificate in Secret ${secret}`;
    return {
      alert: LoadBalancerAlert.CERTIFICATE_ENDING,
      expr: ends.map(left).join('\nor '),
      minutes: 60,
      severity: 'warning',
      summary: `The certificate of the webhooks of ${target.name} ends soon`,
      description: `${of} in namespace ${namespace} ends in less than ${certificateDays} days, or was never issued. When it has ended, the API server trusts no webhook of ${target.name}, and refuses what they must see.`,
      command:
        certificates.length > 0
          ? `kubectl describe certificates.cert-manager.io -n ${namespace} ${certificates.join(' ')}`
          : `kubectl get secret ${secret} -n ${namespace} -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -noout -enddate`,
      remedy:
        certificates.length > 0
          ? 'see why cert-manager does not renew it: issuer, rights, or a cert-manager that does not run'
          : 'renew it in the Secret, and its authority in caBundle if that changes',
      page: OWN_PAGE,
      labels: target.labels,
    };
  };
}
