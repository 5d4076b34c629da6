import { Duration } from 'cdk8s';
import { HealthCheckProtocol } from '../../../src';
import type { OptionRow } from '../../support/cases';
import { keys, VM_SET } from './azure-cloud-provider.words';

const az = (name: string) => `azure-${name}`;
const PREFIX_ID = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPPrefixes/p';

/** An option, its annotation without the prefix, a value with its text, and one that is refused. */
const row = (
  option: string,
  name: string,
  valid: unknown,
  text: string,
  refused: unknown,
  others?: Record<string, unknown>,
): OptionRow => ({ option, valid, writes: keys({ [name]: text }), refused, with: others });

export const options: OptionRow[] = [
  row('loadBalancerInternal', az('load-balancer-internal'), false, 'false', 'True'),
  row('internalSubnet', az('load-balancer-internal-subnet'), 'apps', 'apps', '/subscriptions/s/subnets/apps'),
  row('loadBalancerIpv4', az('load-balancer-ipv4'), '10.240.0.42', '10.240.0.42', 'fd00::1'),
  row('loadBalancerIpv6', az('load-balancer-ipv6'), 'fd00::1', 'fd00::1', '10.240.0.42'),
  row('virtualMachineSet', az('load-balancer-mode'), VM_SET, VM_SET, 'pool1,pool2'),
  row('virtualMachineSet', az('load-balancer-mode'), '__auto__', '__auto__', ''),
  row('configurations', az('load-balancer-configurations'), ['lb-2', 'kubernetes'], 'lb-2,kubernetes', []),
  row('loadBalancerResourceGroup', az('load-balancer-resource-group'), 'net_(prod)', 'net_(prod)', 'net.'),
  row('tcpIdleTimeout', az('load-balancer-tcp-idle-timeout'), Duration.minutes(100), '100', Duration.minutes(101)),
  row('tcpIdleTimeout', az('load-balancer-tcp-idle-timeout'), Duration.minutes(4), '4', Duration.minutes(3)),
  row('disableTcpReset', az('load-balancer-disable-tcp-reset'), true, 'true', 'yes'),
  row('enableHighAvailabilityPorts', az('load-balancer-enable-high-availability-ports'), true, 'true', 1),
  row('disableFloatingIp', az('disable-load-balancer-floating-ip'), true, 'true', 'yes'),
  row('disableNsgRule', az('disable-load-balancer-nsg-rule'), true, 'true', 'yes'),
  row('healthProbeProtocol', az('load-balancer-health-probe-protocol'), HealthCheckProtocol.HTTPS, 'https', 'grpc'),
  row('healthProbeRequestPath', az('load-balancer-health-probe-request-path'), '/ready', '/ready', 'ready'),
  row('healthProbeInterval', az('load-balancer-health-probe-interval'), Duration.seconds(5), '5', Duration.seconds(4)),
  row('healthProbeNumOfProbe', az('load-balancer-health-probe-num-of-probe'), 23, '23', 1),
  row('dnsLabelName', az('dns-label-name'), 'echo-1', 'echo-1', 'Echo'),
  row('dnsLabelName', az('dns-label-name'), '', '', 'e.x'),
  row('pipName', az('pip-name'), 'pip-1', 'pip-1', 'pip 1'),
  row('pipNameIpv6', az('pip-name-ipv6'), 'pip-6', 'pip-6', ''),
  row('pipPrefixId', az('pip-prefix-id'), PREFIX_ID, PREFIX_ID, 'p'),
  row('pipPrefixIdIpv6', az('pip-prefix-id-ipv6'), PREFIX_ID, PREFIX_ID, `${PREFIX_ID}/x`),
  row('pipTags', az('pip-tags'), { team: 'a', cost: '7' }, 'team=a,cost=7', { team: 'a,b=c' }),
  row('pipTags', az('pip-tags'), { services: 'a' }, 'services=a', { 'k8s-azure-service': 'ns/echo' }),
  row('pipIpTags', az('pip-ip-tags'), { RoutingPreference: 'Internet' }, 'RoutingPreference=Internet', { a: 'b=c' }),
  row('allowedServiceTags', az('allowed-service-tags'), ['AzureCloud', 'Sql.WestEurope'], 'AzureCloud,Sql.WestEurope', [
    '10.0.0.0/8',
  ]),
  row('allowedIpRanges', az('allowed-ip-ranges'), ['10.0.0.0/8', 'fd00::/8'], '10.0.0.0/8,fd00::/8', ['10.0.0.1/8']),
  row('denyAllExceptLoadBalancerSourceRanges', az('deny-all-except-load-balancer-source-ranges'), true, 'true', 'yes'),
  row('additionalPublicIps', az('additional-public-ips'), ['20.1.2.3', '20.1.2.4'], '20.1.2.3,20.1.2.4', [
    '20.1.2.3',
    ' 20.1.2.4',
  ]),
  row('plsCreate', az('pls-create'), true, 'true', 'yes'),
  row('plsName', az('pls-name'), 'echo-pls', 'echo-pls', 'echo/pls'),
  row('plsResourceGroup', az('pls-resource-group'), 'net', 'net', ''),
  row('plsIpConfigurationSubnet', az('pls-ip-configuration-subnet'), 'pls', 'pls', 'a b'),
  row('plsIpConfigurationIpAddressCount', az('pls-ip-configuration-ip-address-count'), 8, '8', 9),
  row(
    'plsIpConfigurationIpAddress',
    az('pls-ip-configuration-ip-address'),
    ['10.0.0.7', '10.0.0.8'],
    '10.0.0.7 10.0.0.8',
    ['fd00::1'],
    { plsIpConfigurationIpAddressCount: 2 },
  ),
  row('plsIpConfigurationIpAddress', az('pls-ip-configuration-ip-address'), ['10.0.0.7'], '10.0.0.7', [
    '10.0.0.7',
    '10.0.0.8',
  ]),
  row('plsFqdns', az('pls-fqdns'), ['a.example.com', 'b.example.com'], 'a.example.com b.example.com', ['a b']),
  row('plsProxyProtocol', az('pls-proxy-protocol'), true, 'true', 'v2'),
  row('plsVisibility', az('pls-visibility'), ['sub-1', 'sub-2'], 'sub-1 sub-2', ['*', 'sub-1']),
  row('plsVisibility', az('pls-visibility'), ['*'], '*', []),
  row('plsAutoApproval', az('pls-auto-approval'), ['sub-1'], 'sub-1', ['*']),
  row('portNoLbRule', 'port_443_no_lb_rule', { '443': true }, 'true', { https: true }),
  row('portNoProbeRule', 'port_443_no_probe_rule', { '443': true }, 'true', { '443': 'yes' }),
  row('portHealthProbeProtocol', 'port_443_health-probe_protocol', { '443': 'http' }, 'http', { '443': 'udp' }),
  row('portHealthProbePort', 'port_443_health-probe_port', { '443': '15021' }, '15021', { '443': '65536' }),
  row('portHealthProbePort', 'port_443_health-probe_port', { '443': '443' }, '443', { '0': '443' }),
  row('portHealthProbeRequestPath', 'port_443_health-probe_request-path', { '443': '/ready' }, '/ready', {
    '443': 'x',
  }),
  row('portHealthProbeInterval', 'port_443_health-probe_interval', { '443': Duration.seconds(6) }, '6', {
    '443': Duration.seconds(4),
  }),
  row('portHealthProbeNumOfProbe', 'port_443_health-probe_num-of-probe', { '443': 3 }, '3', { '70000': 3 }),
  row('loadBalancerSourceRanges', 'load-balancer-source-ranges', ['10.0.0.0/8'], '10.0.0.0/8', ['10.0.0.0']),
  row(
    'healthProbeInterval',
    az('load-balancer-health-probe-interval'),
    Duration.seconds(59),
    '59',
    Duration.seconds(60),
  ),
  row('healthProbeProtocol', az('load-balancer-health-probe-protocol'), 'http', 'http', 'https', { factory: 'basic' }),
  row('allowedIpRanges', az('allowed-ip-ranges'), ['10.0.0.0/8'], '10.0.0.0/8', ['fd00::1/8'], { factory: 'basic' }),
  {
    option: 'automaticVirtualMachineSet',
    valid: true,
    writes: keys({ 'azure-load-balancer-mode': '__auto__' }),
    anything: 'its type has two values',
  },
];
