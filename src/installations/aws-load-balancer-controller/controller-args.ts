import type { AwsLoadBalancerControllerFeatureGates } from './aws-load-balancer-controller-feature-gates.options';
import type { AwsLoadBalancerControllerInstallationProps } from './aws-load-balancer-controller-installation.options';
import { FEATURE_GATES } from './feature-gates.facts';
import { INGRESS_CLASS, NO_INGRESS_CLASS } from './installation.facts';

/** The gates that are said, by upstream's names, those of the installation among them. */
export function gatesOf(said: AwsLoadBalancerControllerFeatureGates = {}): Record<string, boolean> {
  const { additional, ...members } = said;
  const byMember: Readonly<Record<string, boolean | undefined>> = members;
  const listenerSets = said.nlbGatewayApi === true || said.albGatewayApi === true;
  const installed: Readonly<Record<string, boolean | undefined>> = { GatewayListenerSet: listenerSets };
  const gates = FEATURE_GATES.map(
    ({ gate, member, installed: byDefault }) => [gate, byMember[member] ?? installed[gate] ?? byDefault] as const,
  ).filter((entry): entry is readonly [string, boolean] => entry[1] !== undefined);
  return { ...Object.fromEntries(gates), ...additional };
}

/** The gates that a member and `additional` say, and not the same of them. */
export function contradictedGates(said: AwsLoadBalancerControllerFeatureGates = {}): string[] {
  const { additional = {}, ...members } = said;
  const byMember: Readonly<Record<string, boolean | undefined>> = members;
  return FEATURE_GATES.filter(
    ({ gate, member }) =>
      byMember[member] !== undefined && additional[gate] !== undefined && byMember[member] !== additional[gate],
  ).map(({ gate }) => gate);
}

/** Whether Ingresses are wanted: where they are not, the controller takes none, and none is checked. */
export function servesIngresses(props: AwsLoadBalancerControllerInstallationProps): boolean {
  return !props.nlbOnly || props.ingressClass === true || props.ingressClassName !== undefined;
}

/** The arguments of the controller. */
export function argsOf(
  props: AwsLoadBalancerControllerInstallationProps,
  gates: Readonly<Record<string, boolean>>,
): string[] {
  const { defaultTags, additionalFlags = {}, loadBalancerClass, logLevel, watchNamespace } = props;
  const flags: [string, string | undefined][] = [
    ['cluster-name', props.clusterName],
    ['ingress-class', props.ingressClassName ?? (servesIngresses(props) ? INGRESS_CLASS.name : NO_INGRESS_CLASS)],
    ['aws-region', props.region],
    ['aws-vpc-id', props.vpcId],
    ...(props.nlbOnly ? NO_ADDONS : []).map((flag): [string, string] => [flag, 'false']),
    ['log-level', logLevel],
    ['watch-namespace', watchNamespace],
    ['default-tags', defaultTags && pairs(defaultTags)],
    ['feature-gates', pairs(gates)],
    ['load-balancer-class', loadBalancerClass],
    ...Object.entries(additionalFlags).sort(byKey),
  ];
  return flags.filter(([, value]) => value !== undefined && value !== '').map(([flag, value]) => `--${flag}=${value}`);
}

/** Switched off where only Network Load Balancers are made: the first one asks AWS for them too. pkg/deploy/shield */
const NO_ADDONS = ['enable-shield', 'enable-waf', 'enable-wafv2'];

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function pairs(map: Readonly<Record<string, unknown>>): string {
  return Object.entries(map)
    .sort(byKey)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
