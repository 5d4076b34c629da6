import { IMAGE_SYNTAX } from '../../contract/image-syntax';
import { labelKeyFault, labelValueFault, portFault, tokenFault } from '../../contract/kubernetes-syntax';
import type { DescribedRule } from '../../contract/rule';
import type { Fault } from '../fault';
import type { PortRange } from '../ports/ports.options';
import type { AllowedClass } from './allowed-class';
import type { ServiceLimits } from './load-balancer-admission-policy.options';
import { ALLOWED_CLASS, CLASS_LABEL, POLICY_LIMIT, POLICY_PORTS } from './rules';

/** What is wrong with limits for Services, the first first. */
export function limitFaults(limits: ServiceLimits): (Fault | undefined)[] {
  const { minSourceRangePrefix, minSourceRangePrefixIpv6, maxSourceRanges, maxPorts, portRange } = limits;
  return [
    whole('minSourceRangePrefix', minSourceRangePrefix, 1, 32, 'leave it out for no check of ranges'),
    whole('minSourceRangePrefixIpv6', minSourceRangePrefixIpv6, 1, 128, 'leave it out for 48'),
    minSourceRangePrefixIpv6 !== undefined && minSourceRangePrefix === undefined
      ? {
          rule: POLICY_LIMIT,
          what: `minSourceRangePrefixIpv6 is ${minSourceRangePrefixIpv6} and minSourceRangePrefix is not set`,
          remedy: 'set minSourceRangePrefix as well',
        }
      : undefined,
    whole('maxSourceRanges', maxSourceRanges, 1, 1000, 'leave it out for 20'),
    whole('maxPorts', maxPorts, 1, 1000, 'leave it out for no limit'),
    portRange && portRangeFault('portRange', portRange),
  ];
}

/** What is wrong with a limit that is a number. */
export function whole(
  name: string,
  value: number | undefined,
  least: number,
  most: number,
  remedy: string,
): Fault | undefined {
  return value === undefined || (Number.isInteger(value) && value >= least && value <= most)
    ? undefined
    : { rule: POLICY_LIMIT, what: `${name} is ${value}, and no whole number from ${least} to ${most}`, remedy };
}

/** What is wrong with a range of ports. */
export function portRangeFault(name: string, { first, last }: PortRange): Fault | undefined {
  const fault = portFault(first) ?? portFault(last);
  return fault || first > last
    ? {
        rule: POLICY_PORTS,
        what: `${name}: ${fault ?? `${first} to ${last} is empty`}`,
        remedy: 'name the lowest port first, and the highest last',
      }
    : undefined;
}

/** What is wrong with the name of a class. */
export function classFault(loadBalancerClass: string): Fault | undefined {
  const fault = labelKeyFault(loadBalancerClass);
  return fault
    ? { rule: ALLOWED_CLASS, what: `class ${fault}`, remedy: 'write it like example.com/shared' }
    : undefined;
}

/** What is wrong with a class that is a label as well. */
export function labelFault(key: string, value: string): Fault | undefined {
  const fault = labelKeyFault(key) ?? labelValueFault(value);
  return fault ? { rule: CLASS_LABEL, what: `label ${fault}`, remedy: 'write a label of Services' } : undefined;
}

/** What is wrong with some classes together. */
export function classesFault(classes: readonly AllowedClass[]): Fault | undefined {
  const names = classes.map(({ loadBalancerClass }) => loadBalancerClass);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return (
    classes.map(({ _fault }) => _fault).find((fault) => fault) ??
    (twice === undefined
      ? undefined
      : {
          rule: ALLOWED_CLASS,
          what: `class ${twice} is allowed twice`,
          remedy: 'put everything about it in one AllowedClass',
        })
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
