import { NLB_NOTICES_SOURCE } from '../../../controllers/aws/notices.facts';
import { errorRule, warningRule } from '../../fault';

export const PROXIES_DRAIN_TIME = errorRule(
  'proxies-drain-time',
  'drain times of proxies are whole seconds up to a day, and the least is no longer than the whole',
);
export const PROXIES_DRAIN_TOO_SHORT = errorRule(
  'proxies-drain-too-short',
  'a proxy that is to go serves for as long as the health check of the balancer in front of it needs',
);
export const PROXIES_NLB_LATE = warningRule(
  'proxies-nlb-late',
  'a proxy serves until a Network Load Balancer sends it no more: that is later than a failed health check or the removal of a pod',
  NLB_NOTICES_SOURCE,
);
export const PROXIES_HELD_CUT = warningRule(
  'proxies-held-cut',
  'with traffic policy Local, a balancer leaves the connections alone of a node whose proxy drains',
);
export const PROXIES_CHECK_LATE = warningRule(
  'proxies-check-late',
  'with traffic policy Local, the health check of a balancer fails before the proxy goes',
);
export const PROXIES_ELSEWHERE = errorRule(
  'proxies-elsewhere',
  'with traffic policy Local, the nodes of the balancer are those of the proxies',
);
export const ONE_PROXY = warningRule('one-proxy', 'a shared load balancer has two proxies or more');
export const PROXY_RESOURCES = errorRule(
  'proxies-resources',
  'the resources of proxies are amounts that Kubernetes takes',
);
export const PROXIES_PROXY_PROTOCOL = errorRule(
  'proxies-proxy-protocol',
  'proxies expect the header of the PROXY protocol where their balancer sends it: they would pass it on to tenants as data',
);
export const PROXIES_ROLLOUT = errorRule('proxies-rollout', 'the pods of a rollout are those of a workload of the app');
