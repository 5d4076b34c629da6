import { IMAGE_SYNTAX } from '../../contract/image-syntax';
import { labelKeyFault, labelValueFault, portFault, tokenFault } from '../../contract/kubernetes-syntax';
import type { DescribedRule } from '../../contract/rule';
import { errorRules, type Fault, warningRules } from '../fault';
import type { PortRange } from '../ports/options';
import type { AllowedClass } from './allowed-class';
import type { ServiceLimits } from './options';

export const GUARD = {
  ...errorRules({
    'tenant-right': 'tenants may write status, quotas, policies or Gateways, or act with the rights of others',
    'guard-dedicated': 'dedicated load balancers without classes or tenants, or beside shared Services',
    'guard-exempt': 'an exempt identity is a tenant, or a group of all users',
    'guard-shared': 'settings of shared Services have no effect',
    'namespace-labels': 'labels for namespaces of tenants are missing or not valid',
    'no-namespace': 'a namespace is missing, not valid, or named twice',
    'quota-limit': 'a quota limits nothing',
    'allowed-class': 'a class that tenants may use is not valid, or is allowed twice',
    'class-label': 'the label of shared Services is not valid',
    'class-default-kubernetes': 'the API server is older than 1.36 and cannot give Services a class',
    'class-default-webhook': 'no selector leaves out the namespaces of tenants, which have several labels',
    'policy-kubernetes': 'the API server is too old for the policies',
    'policy-name': 'the name of a policy is not valid',
    'policy-name-twice': 'two cluster-scoped objects of an app have one name',
    'policy-help': 'the sentence that ends refusals is too long, or has several lines',
    'policy-limit': 'a limit is not a whole number in its range',
    'policy-gateways': 'no shared Gateway is named',
    'policy-ports': 'ports of a tenant are not a range, or are set in two places',
    'policy-ports-twice': 'two namespaces get one port of a Gateway',
    'policy-hostnames': 'host names of a tenant are not DNS names, or are not checked at a shared port',
    'policy-hostnames-twice': 'two namespaces may use one host name',
    'policy-dns': 'a domain of tenants is not a DNS name',
    'policy-size': 'a policy is too large for the API server',
    'tenant-subjects': 'a namespace is bound twice, or to no subject',
  }),
  ...warningRules({
    'tenant-attachments': 'tenants write listeners, and no policy checks their ports',
    'guard-controller': 'the controller of an allowed class is unknown, so it cannot write addresses',
    'shared-class-unserved': 'the shared class is allowed, and nothing in the app serves it',
  }),
};

// Rules of quotas, policies and permissions of tenants.

export function limitFaults(limits: ServiceLimits): (Fault | undefined)[] {
  const { minSourceRangePrefix, minSourceRangePrefixIpv6, maxSourceRanges, maxPorts, portRange } = limits;
  return [
    whole('minSourceRangePrefix', minSourceRangePrefix, 1, 32, 'leave it out for no check of ranges'),
    whole('minSourceRangePrefixIpv6', minSourceRangePrefixIpv6, 1, 128, 'leave it out for 48'),
    minSourceRangePrefixIpv6 !== undefined && minSourceRangePrefix === undefined
      ? {
          rule: GUARD['policy-limit'],
          what: `minSourceRangePrefixIpv6 is ${minSourceRangePrefixIpv6} and minSourceRangePrefix is not set`,
          remedy: 'set minSourceRangePrefix as well',
        }
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
    : {
        rule: GUARD['policy-limit'],
        what: `${name} is ${value}, and no whole number from ${least} to ${most}`,
        remedy,
      };
}

export function portRangeFault(name: string, { first, last }: PortRange): Fault | undefined {
  const fault = portFault(first) ?? portFault(last);
  return fault || first > last
    ? {
        rule: GUARD['policy-ports'],
        what: `${name}: ${fault ?? `${first} to ${last} is empty`}`,
        remedy: 'name the lowest port first, and the highest last',
      }
    : undefined;
}

export function classFault(loadBalancerClass: string): Fault | undefined {
  const fault = labelKeyFault(loadBalancerClass);
  return fault
    ? { rule: GUARD['allowed-class'], what: `class ${fault}`, remedy: 'write it like example.com/shared' }
    : undefined;
}

export function labelFault(key: string, value: string): Fault | undefined {
  const fault = labelKeyFault(key) ?? labelValueFault(value);
  return fault
    ? { rule: GUARD['class-label'], what: `label ${fault}`, remedy: 'write a label of Services' }
    : undefined;
}

export function classesFault(classes: readonly AllowedClass[]): Fault | undefined {
  const names = classes.map(({ loadBalancerClass }) => loadBalancerClass);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return (
    classes.map(({ _fault }) => _fault).find((fault) => fault) ??
    (twice === undefined
      ? undefined
      : {
          rule: GUARD['allowed-class'],
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
