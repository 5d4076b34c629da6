import { isMap, type Json } from '../../../contract/json';
import type { Drain } from '../proxies/drain';
import type { SharedProxyOptions } from '../proxies/options';
import { disruptionBudget, placedProxies, ROLLING_UPDATE, resourcesOf } from '../proxies/pods';
import { suspendedTenantsIn } from './documents';
import { CHART_NAME, CHART_NAME_LABEL, CHART_RELEASE_LABEL, GRACE_BEYOND_DRAIN, HAPROXY_SINCE } from './facts';

/** A tree of values of a chart. */
// biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
export type Values = { [key: string]: any };

/** The props of an installation that decide its values. */
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

/** Arguments that serve other classes, other namespaces or other objects, or move what the pods listen on to ports of tenants. */
const FOREIGN_ARGUMENTS = [
  '--ingress.class',
  '--empty-ingress-class',
  '--namespace-whitelist',
  '--namespace-blacklist',
  '--namespace-label-selector',
  '--configmap-tcp-services',
  '--configmap-patternfiles',
  '--gateway-controller-name',
  '--stats-bind-port',
  '--healthz-bind-port',
  '--controller-port',
  '--default-backend-port',
  '--localpeer-port',
];

/** Values without which the balancer does not work or does not isolate. */
function mustBe({ ingressClass, replicas }: Pick<Named, 'ingressClass' | 'replicas'>): Values {
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
    },
  };
}

/** By these names the balancer finds the pods: under others it leads nowhere, or the pods are in another namespace. */
const CHART_NAMES: Values = { nameOverride: CHART_NAME, namespaceOverride: '' };

/** The values that a shared load balancer needs. */
export function neededValues(named: Named, hardStopAfter: string): Values {
  const must = mustBe(named);
  return {
    controller: {
      ...must.controller,
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

/** Where the pods run, and how they go. */
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

/** Values that end pods before they are drained, as `path: value`. */
export function hastyValues(named: Pick<Named, 'drain'>, values: Values): string[] {
  const { lifecycle, terminationGracePeriodSeconds: grace } = (values.controller ?? {}) as Json;
  const isShort = lifecycle === undefined && grace !== undefined && !(Number(grace) >= named.drain.whole);
  return isShort ? [`controller.terminationGracePeriodSeconds: ${JSON.stringify(grace)}`] : [];
}

/** Values over others; arguments are added to arguments. */
export function mergedValues(base: Values, over: Values): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = base[key];
    if (key === 'extraArgs' && Array.isArray(below) && Array.isArray(value)) {
      merged[key] = [...new Set([...below, ...value])];
    } else {
      merged[key] = isMap(below) && isMap(value) ? mergedValues(below, value) : value;
    }
  }
  return merged;
}

/** Values that differ from what is needed, as `path: value`. */
export function undoneValues(named: Pick<Named, 'ingressClass' | 'replicas'>, values: Values): string[] {
  const args: unknown = values.controller?.extraArgs ?? [];
  const flags = [...ARGUMENTS.map(flagOf), ...FOREIGN_ARGUMENTS];
  const weaker = Array.isArray(args)
    ? args.filter((arg) => flags.includes(flagOf(String(arg))) && !ARGUMENTS.includes(String(arg)))
    : [args];
  return [
    ...differences(CHART_NAMES, values, ''),
    ...oldImage(values.controller?.image?.tag),
    ...differences(mustBe(named), values, ''),
    ...weaker.map((arg) => `controller.extraArgs: ${JSON.stringify(arg)}`),
  ];
}

/** An argument has its value behind `=`, or in the next argument. */
function flagOf(argument: string): string {
  return argument.split(/[=\s]/)[0];
}

/** The version of an image, where its tag is one. */
function oldImage(tag: unknown): string[] {
  const match = /^v?(\d+)(?:\.(\d+))?(?=[.@+-]|$)/.exec(String(tag ?? ''));
  const [, major, minor] = (match ?? []).map(Number);
  const [sinceMajor, sinceMinor] = HAPROXY_SINCE.split('.').map(Number);
  const isOld = major < sinceMajor || (major === sinceMajor && minor < sinceMinor);
  return isOld ? [`controller.image.tag: ${JSON.stringify(tag)}`] : [];
}

function differences(must: Values, values: Values, path: string): string[] {
  return Object.entries(must).flatMap(([key, value]) => {
    const other = values[key];
    if (other === undefined) {
      return [];
    }
    return isMap(value) && isMap(other)
      ? differences(value, other, `${path}${key}.`)
      : other === value
        ? []
        : [`${path}${key}: ${JSON.stringify(other)}`];
  });
}
