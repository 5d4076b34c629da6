import { errorRule } from '../../fault';

export const HAPROXY_TOO_OLD = errorRule(
  'haproxy-version',
  'the HAProxy Kubernetes Ingress Controller is of a version that has objects of kind TCP and reads their class',
);
export const HAPROXY_REPLICAS = errorRule('haproxy-replicas', 'HAProxy has one pod or more');
export const HAPROXY_TWICE = errorRule(
  'haproxy-twice',
  'an installation of HAProxy serves one shared load balancer, since it binds whatever is published under its class',
);
