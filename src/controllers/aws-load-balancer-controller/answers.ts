import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  type HealthCheck,
  HealthCheckProtocol,
  IpFamily,
  type LoadBalancerPort,
  LoadBalancerScheme,
  LoadBalancerWish,
  PortProtocol,
} from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { annotateHealthCheck } from '../aws/answers';
import { refusal } from '../shared/answers';
import { AWS_LBC } from './annotations';
import { NlbIpAddressType, type AwsLoadBalancerControllerNlbOptions as Options } from './options';
import { REFUSALS } from './refusals.facts';

/** The scheme, by whichever spelling the options use; internal by default. */
export function answerScheme(draft: PlanDraft, request: LoadBalancerRequest, options: Options): void {
  const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
  if (options.loadBalancerInternal !== undefined) {
    if (wish) draft.annotate(wish, AWS_LBC.internal, !request.internetFacing);
  } else if (wish || !draft.has(AWS_LBC.scheme)) {
    draft.annotate(wish, AWS_LBC.scheme, request.scheme ?? LoadBalancerScheme.INTERNAL);
  }
}

function isPublic(request: LoadBalancerRequest, options: Options): boolean {
  const byOption = options.scheme === LoadBalancerScheme.INTERNET_FACING || options.loadBalancerInternal === false;
  return request.scheme === undefined ? byOption : request.internetFacing;
}

/** An IPv6 family needs a dualstack balancer, even alone. */
export function answerIpFamilies(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.ipFamilies) {
    const type = request.ipFamilies.includes(IpFamily.IPV6) ? NlbIpAddressType.DUALSTACK : NlbIpAddressType.IPV4;
    draft.annotate(LoadBalancerWish.IP_FAMILIES, AWS_LBC.ipAddressType, type);
  }
}

function isDualstack(request: LoadBalancerRequest, options: Options): boolean {
  return request.ipFamilies
    ? request.ipFamilies.includes(IpFamily.IPV6)
    : options.ipAddressType === NlbIpAddressType.DUALSTACK;
}

/** Elastic IPs of a public balancer, private addresses of an internal one. */
export function answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest, options: Options): void {
  const addresses = request.staticAddresses;
  if (!addresses) {
    return;
  }
  const wish = LoadBalancerWish.STATIC_ADDRESSES;
  const internetFacing = isPublic(request, options);
  const ipv6 = addresses.filter(isIpv6);
  const others = addresses.filter((address) => !isIpv6(address));
  const isEip = (address: string) => address.startsWith('eipalloc-');
  const odd = others.find((address) => isEip(address) !== internetFacing);
  if (odd !== undefined) {
    draft.refuse(wish, {
      what: internetFacing
        ? `a public balancer takes elastic IPs by allocation id, not the address '${odd}'`
        : `an internal balancer takes private addresses, not the elastic IP '${odd}'`,
      remedy: internetFacing
        ? 'allocate an elastic IP for each subnet and give the ids (eipalloc-…)'
        : 'give a private IPv4 address for each subnet, or make the balancer internet-facing',
      value: odd,
    });
    return;
  }
  if (ipv6.length > 0 && !isDualstack(request, options)) {
    draft.refuse(wish, notDualstack(`the fixed address ${ipv6[0]}`, ipv6[0]));
    return;
  }
  if (others.length > 0)
    draft.annotate(wish, internetFacing ? AWS_LBC.eipAllocations : AWS_LBC.privateIpv4Addresses, others);
  if (ipv6.length > 0) draft.annotate(wish, AWS_LBC.ipv6Addresses, ipv6);
}

/** The source ranges for the field, if it is read. */
export function answerSourceRanges(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  options: Options,
): string[] | undefined {
  const ranges = request.sourceRanges;
  if (!ranges) {
    return undefined;
  }
  const wish = LoadBalancerWish.SOURCE_RANGES;
  const { loadBalancerSourceRanges: old, securityGroups } = options;
  const ipv6 = isDualstack(request, options) ? undefined : ranges.find(isIpv6);
  if (securityGroups) {
    draft.refuse(
      wish,
      refusal(REFUSALS.rangesBesideGroups, { value: ranges.join(', '), groups: securityGroups.join(', ') }),
    );
  } else if (ipv6) {
    draft.refuse(wish, notDualstack(`the source range ${ipv6}`, ipv6));
  } else if (old && old.join() !== ranges.join()) {
    draft.refuse(wish, refusal(REFUSALS.rangesTwice, { value: ranges.join(', '), old: old.join(', ') }));
  } else {
    draft.honour(wish, 'spec.loadBalancerSourceRanges');
    return ranges;
  }
  return undefined;
}

function notDualstack(what: string, value: string) {
  return {
    what: `${what} needs a dualstack balancer, and this one is of IPv4`,
    remedy: 'ask for ipFamilies with IPv6, or set the option ipAddressType to DUALSTACK',
    value,
  };
}

/** TCP and UDP, on one number too. */
export function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest, options: Options): void {
  const wish = LoadBalancerWish.PROTOCOLS;
  const sctp = request.ports.find((port) => port.protocol === PortProtocol.SCTP);
  if (sctp) {
    draft.refuse(wish, refusal(REFUSALS.sctp, { value: PortProtocol.SCTP, port: sctp.port }));
    return;
  }
  const udp = request.ports.filter(isUdp);
  if (udp.length === 0) {
    return;
  }
  draft.honour(wish, 'UDP listeners');
  if (udp.some((port) => request.ports.some((other) => other.port === port.port && !isUdp(other)))) {
    draft.annotate(wish, AWS_LBC.enableTcpUdpListener, true);
  }
  if (isDualstack(request, options)) {
    draft.annotate(wish, AWS_LBC.enablePrefixForIpv6SourceNat, true);
  }
}

export function isUdp(port: LoadBalancerPort): boolean {
  return port.protocol === PortProtocol.UDP;
}

/** Health checks of the targets. */
export function answerHealthCheck(draft: PlanDraft, check: HealthCheck | undefined, options: Options): void {
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  const protocol = check.protocol ?? options.healthCheckProtocol;
  if (check.path !== undefined && protocol === HealthCheckProtocol.TCP) {
    draft.refuse(wish, refusal(REFUSALS.pathOfTcp, { value: check.path }));
    return;
  }
  draft.honour(wish, 'health check of the target groups');
  const implied = check.path && !protocol ? HealthCheckProtocol.HTTP : undefined;
  annotateHealthCheck(draft, AWS_LBC, { ...check, protocol: check.protocol ?? implied });
}
