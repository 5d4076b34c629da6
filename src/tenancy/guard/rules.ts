import { IMAGE_SYNTAX, labelKeyFault, labelValueFault, portFault, tokenFault } from '../../contract/kubernetes-syntax';
import type { DescribedRule } from '../../contract/rule';
import { type Fault, faultOf, rulesOf } from '../fault';
import type { PortRange } from '../ports/options';
import type { AllowedClass } from './allowed-class';
import type { ServiceLimits } from './options';
import { GUARD_MESSAGES, GUARD_RULES } from './rules.facts';

export const GUARD = rulesOf(GUARD_RULES, GUARD_MESSAGES);

// Rules of quotas, policies and permissions of tenants.

export function limitFaults(limits: ServiceLimits): (Fault | undefined)[] {
  const { minSourceRangePrefix, minSourceRangePrefixIpv6, maxSourceRanges, maxPorts, portRange } = limits;
  return [
    whole('minSourceRangePrefix', minSourceRangePrefix, 1, 32, 'leave it out for no check of ranges'),
    whole('minSourceRangePrefixIpv6', minSourceRangePrefixIpv6, 1, 128, 'leave it out for 48'),
    minSourceRangePrefixIpv6 !== undefined && minSourceRangePrefix === undefined
      ? faultOf(GUARD['policy-limit'], { minSourceRangePrefixIpv6 })
      : undefined,
    whole('maxSourceRanges', maxSourceRanges, 1, 1000, 'leave it out for 20'),
    whole('maxPorts', maxPorts, 1, 1000, 'leave it out for no limit'),
    portRange && portRangeFault('portRange', portRange),
  ];
}

export function whole(
  name: string,
  value: number | undefined,
  least: number,
  most: number,
  remedy: string,
): Fault | undefined {
  return value === undefined || (Number.isInteger(value) && value >= least && value <= most)
    ? undefined
    : faultOf(GUARD.notWhole, { name, value, least, most, remedy });
}

export function portRangeFault(name: string, { first, last }: PortRange): Fault | undefined {
  const fault = portFault(first) ?? portFault(last);
  return fault || first > last
    ? faultOf(GUARD.emptyRange, {
        name,
        empty: fault ?? `${first} to ${last} is empty`,
      })
    : undefined;
}

export function classFault(loadBalancerClass: string): Fault | undefined {
  const fault = labelKeyFault(loadBalancerClass);
  return fault ? faultOf(GUARD.class, { fault }) : undefined;
}

export function labelFault(key: string, value: string): Fault | undefined {
  const fault = labelKeyFault(key) ?? labelValueFault(value);
  return fault ? faultOf(GUARD['class-label'], { fault }) : undefined;
}

export function classesFault(classes: readonly AllowedClass[]): Fault | undefined {
  const names = classes.map(({ loadBalancerClass }) => loadBalancerClass);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return (
    classes.map(({ _fault }) => _fault).find((fault) => fault) ??
    (twice === undefined ? undefined : faultOf(GUARD.classIsAllowedTwice, { twice }))
  );
}

/** What is wrong with the name of an image; what cannot be told before the end is left alone. */
export function imageFault(rule: DescribedRule, image: string | undefined): Fault | undefined {
  return image === undefined || tokenFault(image) || IMAGE_SYNTAX.test(image)
    ? undefined
    : {
        rule,
        what: `image '${image}' is not the name of an image`,
        remedy: 'write it like example.com/node:24.11.1-alpine3.22',
      };
}
