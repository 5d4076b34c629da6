import { ownCommand } from '../../contract/own-command';
import {
  KSM,
  KSM_SINCE,
  LOAD_BALANCER_QUOTA,
  POLICY_CHECKS,
  SERVICE_NAME_LABEL,
  SERVICE_NAME_METRIC_LABEL,
} from '../alerts.facts';
import { LoadBalancerAlert } from '../options';
import { type AlertRule, label, OWN_PAGE, quoted } from './alert-rule';

/** From when on something of a Service is wrong. */
export interface ServiceThresholds {
  readonly pendingMinutes: number;
  readonly terminatingMinutes: number;
  readonly withoutEndpointsMinutes: number;
  readonly quotaPercent: number;
}

/** Services of type LoadBalancer: one series each, whatever replica of kube-state-metrics said so. */
const BALANCED = `max by (namespace, service) (${KSM.type}{type="LoadBalancer"})`;
const ON_SERVICE = 'on (namespace, service)';
const PLACE = `${label('namespace')}/${label('service')}`;

/** What is ready behind a Service; an endpoint that does not say is ready. */
export const READY_ENDPOINTS = `label_replace(
  ${KSM.endpoints}{ready!="false"}
    * on (namespace, endpointslice) group_left (${SERVICE_NAME_METRIC_LABEL})
  max by (namespace, endpointslice, ${SERVICE_NAME_METRIC_LABEL}) (${KSM.sliceLabels}{${SERVICE_NAME_METRIC_LABEL}!=""}),
  "service", "$1", ${quoted(SERVICE_NAME_METRIC_LABEL)}, "(.+)"
)`;

/** Without it no Service seems to have an endpoint. */
const KNOWS_SLICES = `(count(${KSM.sliceLabels}{${SERVICE_NAME_METRIC_LABEL}!=""}) > 0)`;

/** What its controller says of a Service. */
const EVENTS = `kubectl get events -n ${label('namespace')} --field-selector "involvedObject.kind=Service,involvedObject.name=${label('service')}" -o custom-columns=LAST:.lastTimestamp,REASON:.reason,MESSAGE:.message`;

/** Who holds a Service that was deleted. */
const OWNED_BY = `kubectl get service ${label('service')} -n ${label('namespace')} -o jsonpath='finalizers {.metadata.finalizers}{"\\n"}class      {.spec.loadBalancerClass}{"\\n"}deleted    {.metadata.deletionTimestamp}{"\\n"}'`;

const explained = () => `kubectl get services,events --all-namespaces -o yaml | ${ownCommand(`explain ${PLACE} -`)}`;

/** What is wrong with Services, whoever serves them. */
export function serviceAlerts(thresholds: ServiceThresholds): AlertRule[] {
  const { pendingMinutes, terminatingMinutes, withoutEndpointsMinutes, quotaPercent } = thresholds;
  return [
    {
      alert: LoadBalancerAlert.PENDING,
      expr: `${BALANCED}\nunless ${ON_SERVICE} ${KSM.ingress}\nunless ${ON_SERVICE} ${KSM.deletion}`,
      minutes: pendingMinutes,
      severity: 'warning',
      summary: `Service ${PLACE} has no address`,
      description: `Service ${PLACE} of type LoadBalancer has waited for an address for ${pendingMinutes} minutes. A controller that takes it and fails says so in its events; without any event no controller takes it.`,
      command: EVENTS,
      explain: explained(),
      remedy:
        'read the events, then look for the cause on the page: class, controller, annotations, permissions, quota',
      page: 'stuck-in-pending.md',
    },
    {
      alert: LoadBalancerAlert.TERMINATING,
      expr: `(time() - max by (namespace, service) (${KSM.deletion})) > ${terminatingMinutes * 60}\nand ${ON_SERVICE} ${BALANCED}`,
      minutes: 0,
      severity: 'warning',
      summary: `Service ${PLACE} is stuck in Terminating`,
      description: `Service ${PLACE} was deleted {{ $value | humanizeDuration }} ago and is still there: a finalizer waits for a controller that does not run, may not act, or does not own it.`,
      command: OWNED_BY,
      explain: explained(),
      remedy:
        'start the controller that owns it; where it never comes back, see in the cloud that no balancer is left, then take its finalizer off (steps 6 and 7)',
      page: 'stuck-in-terminating.md',
    },
    {
      alert: LoadBalancerAlert.WITHOUT_ENDPOINTS,
      expr: `${BALANCED}\nand ${ON_SERVICE} ${KSM.ingress}\nunless ${ON_SERVICE} ${KSM.deletion}\nunless ${ON_SERVICE} ${READY_ENDPOINTS}\nand on () ${KNOWS_SLICES}`,
      minutes: withoutEndpointsMinutes,
      severity: 'critical',
      summary: `Service ${PLACE} has an address and no ready endpoint`,
      description: `No pod behind Service ${PLACE} has been ready for ${withoutEndpointsMinutes} minutes: connections to its load balancer fail.`,
      command: `kubectl get endpointslices -n ${label('namespace')} -l ${SERVICE_NAME_LABEL}=${label('service')} -o wide`,
      remedy: 'compare the selector of the Service with the labels of its pods, and read why the pods are not ready',
      page: OWN_PAGE,
    },
    {
      alert: LoadBalancerAlert.QUOTA_NEARLY_USED,
      expr: `100 * max by (namespace, resourcequota) (${KSM.quota}{resource=${quoted(LOAD_BALANCER_QUOTA)},type="used"})\n  / (max by (namespace, resourcequota) (${KSM.quota}{resource=${quoted(LOAD_BALANCER_QUOTA)},type="hard"}) > 0)\n  >= ${quotaPercent}`,
      minutes: 5,
      severity: 'warning',
      summary: `Namespace ${label('namespace')} has nearly used its quota of load balancers`,
      description: `ResourceQuota ${label('resourcequota')} of namespace ${label('namespace')} is used to {{ $value | printf "%.0f" }} %. The API server refuses the Service that exceeds it.`,
      command: `kubectl get resourcequotas -n ${label('namespace')} -o custom-columns=NAME:.metadata.name,USED:.status.used,HARD:.status.hard`,
      remedy: 'delete Services that are not needed, share a balancer, or raise the quota',
      page: 'how-to/guard-tenants.md',
    },
    {
      alert: LoadBalancerAlert.METRICS_MISSING,
      expr: `absent(${KSM.type})\nor absent(${KSM.sliceLabels}{${SERVICE_NAME_METRIC_LABEL}!=""})`,
      minutes: 15,
      severity: 'warning',
      summary: 'kube-state-metrics does not say what the alerts on load balancers need',
      description: `Without kube-state-metrics ${KSM_SINCE} or newer that exports Services, and EndpointSlices with the label ${SERVICE_NAME_LABEL}, Services without an address or without endpoints go unnoticed.`,
      command: 'kubectl get deployments --all-namespaces -l app.kubernetes.io/name=kube-state-metrics -o yaml',
      remedy: 'install kube-state-metrics with the values in the ConfigMap that came with these alerts',
      page: OWN_PAGE,
    },
  ];
}

/**
 * What a policy has counted. A counter that begins at one rises from nothing, which `increase` does not see: so a series that
 * an hour ago was not there counts as well.
 */
export function finalizerAlert(policy: string): AlertRule {
  const found = `${POLICY_CHECKS}{policy=${quoted(policy)},enforcement_action="audit"}`;
  return {
    alert: LoadBalancerAlert.WITHOUT_FINALIZER,
    expr: `sum by (policy) (increase(${found}[1h])) > 0\nor sum by (policy) (${found} unless ${found} offset 1h) > 0`,
    minutes: 0,
    severity: 'critical',
    summary: 'A Service with an address was written without a finalizer',
    description: `Policy ${policy} has seen a Service of type LoadBalancer that is served and has no finalizer: deleted now it goes at once, and its balancer stays and costs money. Operators that write whole Services take finalizers away.`,
    command: `kubectl get services --all-namespaces -o jsonpath='{range .items[?(@.spec.type=="LoadBalancer")]}{.metadata.namespace}{"\\t"}{.metadata.name}{"\\t"}{.metadata.finalizers}{"\\t"}{.status.loadBalancer.ingress}{"\\n"}{end}'`,
    remedy: 'stop who takes the finalizer away, then change an annotation of the Service: its controller puts it back',
    page: 'how-to/take-a-cluster-down.md',
  };
}
