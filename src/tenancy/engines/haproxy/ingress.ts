import { refuseWrongProps } from '../../../contract/declared-types';
import { refusal } from '../../fault';
import { CHART_NAME, HAPROXY_READ, HAPROXY_SINCE, HARD_STOP_AFTER } from './facts';
import type { HaproxyIngressProps } from './options';
import { HAPROXY_REPLICAS, HAPROXY_TOO_OLD } from './rules';

/**
 * The HAProxy Kubernetes Ingress Controller that serves a shared load balancer, to be installed by its own chart
 * (`haproxytech/kubernetes-ingress`) with `helmValues`, in the namespace of the shared load balancer and for it alone.
 *
 * Nothing is installed here. Version and values are checked where a `SharedLoadBalancer` uses it.
 *
 * @see https://github.com/haproxytech/helm-charts/tree/main/kubernetes-ingress
 */
export class HaproxyIngress {
  /** The name of the release. */
  public readonly release: string;

  /** The ingress class that it serves. */
  public readonly ingressClass: string;

  /** How many pods it has. */
  public readonly replicas: number;

  /** The version of the controller. */
  public readonly version: string;

  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  private readonly values: { [key: string]: any };

  /**
   * An installation of the controller.
   *
   * @param props what it is called, and its values
   * @throws when the version has no objects that publish TCP, or the number of pods is not a whole number from 1
   */
  public constructor(props: HaproxyIngressProps = {}) {
    refuseWrongProps('HaproxyIngress', 'HaproxyIngressProps', props);
    this.release = props.release ?? 'shared-haproxy';
    this.ingressClass = props.ingressClass ?? this.release;
    this.replicas = props.replicas ?? 2;
    this.version = props.version ?? HAPROXY_READ;
    this.values = props.values ?? {};
    if (!Number.isInteger(this.replicas) || this.replicas < 1) {
      throw refusal(`HaproxyIngress ${this.release}`, {
        rule: HAPROXY_REPLICAS,
        what: `replicas is ${this.replicas}`,
        remedy: 'pass a whole number from 1',
      });
    }
    if (!isSince(this.version)) {
      throw refusal(`HaproxyIngress ${this.release}`, {
        rule: HAPROXY_TOO_OLD,
        what: `version ${this.version} of the controller has no TCP objects of ingress.v3.haproxy.org, or does not read their class`,
        remedy: `use ${HAPROXY_SINCE} or newer`,
      });
    }
  }

  /**
   * The values of the chart, to be written into a file for `helm install`. Without them the controller takes Services of type
   * ExternalName and pieces of configuration from tenants, makes a Service of its own, and cuts connections half an hour after
   * any tenant changed something.
   */
  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  public get helmValues(): { [key: string]: any } {
    return mergedValues(neededValues(this, HARD_STOP_AFTER), this.values);
  }

  /** @internal */
  public get _undone(): string[] {
    return undoneValues(this, this.values);
  }
}

function isSince(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)(\.\d+)?$/.exec(version);
  const [major, minor] = HAPROXY_SINCE.split('.').map(Number);
  return !!match && (Number(match[1]) > major || (Number(match[1]) === major && Number(match[2]) >= minor));
}

/** A tree of values of a chart. */
// biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
type Values = { [key: string]: any };

/** The props of an installation that decide its values. */
interface Named {
  readonly ingressClass: string;
  readonly replicas: number;
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
  '--gateway-controller-name',
  '--stats-bind-port',
  '--healthz-bind-port',
  '--controller-port',
  '--default-backend-port',
  '--localpeer-port',
];

/** Values without which the balancer does not work or does not isolate. */
function mustBe({ ingressClass, replicas }: Named): Values {
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
function neededValues(named: Named, hardStopAfter: string): Values {
  const must = mustBe(named);
  return {
    controller: {
      ...must.controller,
      // ports below 1024
      allowPrivilegedPorts: true,
      extraArgs: ARGUMENTS,
      config: {
        'hard-stop-after': hardStopAfter,
        // two that listen on one port share its connections; so the second does not start
        'global-config-snippet': 'noreuseport',
      },
    },
  };
}

/** Values over others; arguments are added to arguments. */
function mergedValues(base: Values, over: Values): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = base[key];
    if (key === 'extraArgs' && Array.isArray(below) && Array.isArray(value)) {
      merged[key] = [...new Set([...below, ...value])];
    } else {
      merged[key] = isTree(below) && isTree(value) ? mergedValues(below, value) : value;
    }
  }
  return merged;
}

/** Values that differ from what is needed, as `path: value`. */
function undoneValues(named: Named, values: Values): string[] {
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
    return isTree(value) && isTree(other)
      ? differences(value, other, `${path}${key}.`)
      : other === value
        ? []
        : [`${path}${key}: ${JSON.stringify(other)}`];
  });
}

function isTree(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
