import { rulesOf } from '../../fault';
import type { Drain } from '../proxies/drain';
import type { SharedProxyOptions } from '../proxies/options';
import { disruptionBudget, placedProxies, ROLLING_UPDATE, resourcesOf } from '../proxies/pods';
import { suspendedTenantsIn } from './documents';
import { CHART_NAME_LABEL, CHART_RELEASE_LABEL, GRACE_BEYOND_DRAIN } from './facts';
import { HAPROXY_RULES } from './rules.facts';

export const HAPROXY = rulesOf(HAPROXY_RULES);

// biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
export type Values = { [key: string]: any };

interface Named {
  readonly release: string;
  readonly ingressClass: string;
  readonly replicas: number;
  readonly proxies: SharedProxyOptions;
  readonly drain: Drain;
}

/** Arguments without which tenants reach each other, or which take ports that are the tenants'. */
const ARGUMENTS = [
  '--disable-config-snippets=backend,frontend',
  '--disable-service-external-name',
  '--disable-http',
  '--disable-https',
  '--disable-quic',
];

export function neededValues(named: Named, hardStopAfter: string): Values {
  const { ingressClass, replicas } = named;
  return {
    controller: {
      kind: 'Deployment',
      replicaCount: replicas,
      ingressClass,
      // tenants name their own class or none; neither is this installation's
      ingressClassResource: { name: ingressClass, default: false },
      kubernetesGateway: { enabled: false },
      autoscaling: { enabled: false },
      keda: { enabled: false },
      // the balancer's own Service is made here, with the ports of the lock file
      service: { enabled: false },
      publishService: { enabled: false },
      ...hardened(named),
      // ports below 1024
      allowPrivilegedPorts: true,
      // the namespace is known in the pod alone
      extraArgs: [...ARGUMENTS, `--configmap-patternfiles=$(POD_NAMESPACE)/${suspendedTenantsIn(named)}`],
      config: {
        'hard-stop-after': hardStopAfter,
        // two that listen on one port share its connections; so the second does not start
        'global-config-snippet': 'noreuseport',
      },
    },
  };
}

function hardened({ release, replicas, proxies, drain }: Named): Values {
  const labels = { ...CHART_NAME_LABEL, [CHART_RELEASE_LABEL]: release };
  const budget = disruptionBudget(proxies, replicas);
  return {
    ...(budget ? { PodDisruptionBudget: { enable: true, ...budget } } : {}),
    ...placedProxies(proxies, labels),
    lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', softStop(drain)] } } },
    minReadySeconds: drain.ready,
    resources: resourcesOf(proxies.resources),
    strategy: ROLLING_UPDATE,
    terminationGracePeriodSeconds: drain.whole + GRACE_BEYOND_DRAIN,
  };
}

/**
 * Takes connections until the balancer has noticed, then none, and waits for those that are there. By itself the image passes the
 * signal that ends it to HAProxy as the one that cuts all. HAProxy that has ended is started anew by its supervisor, so its
 * processes are remembered, those of before a reload among them.
 */
function softStop({ least, whole }: Drain): string {
  return [
    `sleep ${least}`,
    'old=$(pidof haproxy)',
    'kill -USR1 $old',
    `end=$(($(date +%s) + ${whole - least}))`,
    'for pid in $old; do while kill -0 $pid 2>/dev/null && [ $(date +%s) -lt $end ]; do sleep 1; done; done',
  ].join('; ');
}
