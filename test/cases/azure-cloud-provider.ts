import { Duration } from 'cdk8s';
import {
  AzureCloudProvider,
  ClientAddress,
  FinalizerPolicy,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, type OptionRow, service } from '../support/cases';

const key = (name: string) => `service.beta.kubernetes.io/${name}`;
const keys = (annotations: Record<string, string>) =>
  Object.fromEntries(Object.entries(annotations).map(([name, value]) => [key(name), value]));
const az = (name: string) => `azure-${name}`;

const standard = () => AzureCloudProvider.standard();
const multiple = () => AzureCloudProvider.multipleStandard({ configurations: ['lb-2', 'lb-3'] });
const basic = () => AzureCloudProvider.basic();

const pool = NodePool.labeled({ 'kubernetes.azure.com/agentpool': 'pool1' }, { name: 'pool1' });
const publicly = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
const internal = keys({ 'azure-load-balancer-internal': 'true' });
const VM_SET = 'pool-1-availabilitySet-27255451';
const PREFIX_ID = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPPrefixes/p';
const RETIRED = ['azure-basic-retired'];
const UDP = { port: 53, protocol: PortProtocol.UDP };
const SCTP = { port: 132, protocol: PortProtocol.SCTP };
const local = (annotations: Record<string, string>, spec = {}) =>
  service({ externalTrafficPolicy: 'Local', ...spec }, keys(annotations));
const with_ = (annotations: Record<string, string>, spec = {}) => service(spec, keys(annotations));

/** An option, its annotation without the prefix, a value with its text, and one that is refused. */
const row = (
  option: string,
  name: string,
  valid: unknown,
  text: string,
  refused: unknown,
  others?: Record<string, unknown>,
): OptionRow => ({ option, valid, writes: keys({ [name]: text }), refused, with: others });

/** The factory of a row, where its options alone do not tell. */
const of = (factory: 'basic' | 'multiple' | 'standard') => ({ factory });

export const cases: ControllerCases = {
  kind: AzureCloudProvider._kind,
  make: ({ factory, ...options }) => {
    const isBasic = factory === 'basic' || 'virtualMachineSet' in options || 'automaticVirtualMachineSet' in options;
    if (isBasic && factory !== 'standard' && factory !== 'multiple') {
      return AzureCloudProvider.basic(options);
    }
    return (factory === 'multiple' || 'configurations' in options) && factory !== 'standard'
      ? AzureCloudProvider.multipleStandard(options)
      : AzureCloudProvider.standard(options);
  },
  options: [
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
    row(
      'healthProbeInterval',
      az('load-balancer-health-probe-interval'),
      Duration.seconds(5),
      '5',
      Duration.seconds(4),
    ),
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
    row(
      'allowedServiceTags',
      az('allowed-service-tags'),
      ['AzureCloud', 'Sql.WestEurope'],
      'AzureCloud,Sql.WestEurope',
      ['10.0.0.0/8'],
    ),
    row('allowedIpRanges', az('allowed-ip-ranges'), ['10.0.0.0/8', 'fd00::/8'], '10.0.0.0/8,fd00::/8', ['10.0.0.1/8']),
    row(
      'denyAllExceptLoadBalancerSourceRanges',
      az('deny-all-except-load-balancer-source-ranges'),
      true,
      'true',
      'yes',
    ),
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
      {
        plsIpConfigurationIpAddressCount: 2,
      },
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
    row('automaticVirtualMachineSet', az('load-balancer-mode'), true, '__auto__', undefined),
  ]
    .map((each) => (each.refused === undefined ? { ...each, anything: 'its type has two values' } : each))
    // what other balancers read, and what can never be right
    .concat([
      { option: 'virtualMachineSet', valid: undefined, writes: {}, refused: VM_SET, with: of('standard') },
      { option: 'virtualMachineSet', valid: undefined, writes: {}, refused: VM_SET, with: of('multiple') },
      { option: 'automaticVirtualMachineSet', valid: undefined, writes: {}, refused: true, with: of('multiple') },
      {
        option: 'automaticVirtualMachineSet',
        valid: undefined,
        writes: {},
        refused: true,
        with: { virtualMachineSet: VM_SET },
      },
      { option: 'configurations', valid: undefined, writes: {}, refused: ['lb-2'], with: of('standard') },
      { option: 'configurations', valid: undefined, writes: {}, refused: ['lb-2'], with: of('basic') },
      { option: 'configurations', valid: undefined, writes: {}, refused: ['lb-2'], with: { pipName: 'pip-1' } },
      { option: 'enableHighAvailabilityPorts', valid: undefined, writes: {}, refused: true, with: of('basic') },
      { option: 'loadBalancerIpv6', valid: undefined, writes: {}, refused: 'fd00::1', with: of('basic') },
      { option: 'plsCreate', valid: undefined, writes: {}, refused: true, with: of('basic') },
      { option: 'pipPrefixId', valid: undefined, writes: {}, refused: PREFIX_ID, with: of('basic') },
      {
        option: 'healthProbeProtocol',
        valid: 'http',
        writes: keys({ 'azure-load-balancer-health-probe-protocol': 'http' }),
        refused: 'https',
        with: of('basic'),
      },
      {
        option: 'portHealthProbeProtocol',
        valid: undefined,
        writes: {},
        refused: { '443': 'https' },
        with: of('basic'),
      },
      {
        option: 'allowedIpRanges',
        valid: ['10.0.0.0/8'],
        writes: keys({ 'azure-allowed-ip-ranges': '10.0.0.0/8' }),
        refused: ['fd00::1/8'],
        with: of('basic'),
      },
      {
        option: 'healthProbeInterval',
        valid: Duration.seconds(59),
        writes: keys({ 'azure-load-balancer-health-probe-interval': '59' }),
        refused: Duration.seconds(60),
      },
    ]),
  requests: [
    {
      title: 'a balancer is internal unless somebody says otherwise',
      controller: standard,
      request: ONE_PORT,
      plan: {
        owner: 'cloud-provider-azure',
        finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
        annotations: internal,
        loadBalancerClass: undefined,
        externalTrafficPolicy: undefined,
        nodeRestriction: NodeRestriction.NONE,
        loadBalancers: 1,
      },
      source: 'pkg/provider/azure_loadbalancer.go, requiresInternalLoadBalancer',
    },
    {
      title: 'an internal balancer says so exactly',
      controller: multiple,
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
      plan: { annotations: { ...internal, ...keys({ 'azure-load-balancer-configurations': 'lb-2,lb-3' }) } },
    },
    {
      title: 'a public balancer needs no annotation',
      controller: standard,
      request: publicly,
      plan: { annotations: {} },
    },
    {
      title: 'the option decides where the request names no scheme',
      controller: () => AzureCloudProvider.standard({ loadBalancerInternal: false }),
      request: ONE_PORT,
      plan: { annotations: keys({ 'azure-load-balancer-internal': 'false' }) },
    },
    {
      title: 'an option cannot make a public request internal',
      controller: () => AzureCloudProvider.standard({ loadBalancerInternal: true }),
      request: publicly,
      problems: ["scheme asks for 'false', but the controller's option loadBalancerInternal already says 'true'"],
    },
    {
      title: 'an option cannot make an internal request public',
      controller: () => AzureCloudProvider.standard({ loadBalancerInternal: false }),
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
      problems: ["scheme asks for 'true'"],
    },
    {
      title: 'the finalizer can be left to the controller',
      controller: standard,
      request: { ...ONE_PORT, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
      plan: { finalizers: [] },
    },
    {
      title: 'a Basic balancer keeps to the VM set that somebody names',
      controller: () => AzureCloudProvider.basic({ virtualMachineSet: VM_SET }),
      request: {
        ports: [{ port: 80, targetPort: 8080 }],
        scheme: LoadBalancerScheme.INTERNET_FACING,
        backendNodes: pool,
      },
      plan: {
        finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
        annotations: keys({ 'azure-load-balancer-mode': VM_SET }),
        loadBalancerClass: undefined,
        externalTrafficPolicy: TrafficPolicy.LOCAL,
        nodeRestriction: NodeRestriction.ON_SERVICE,
      },
      warnings: RETIRED,
      source: 'pkg/provider/azure_standard.go, GetVMSetNames',
    },
    {
      title: 'the VM set of a pool cannot be known',
      controller: basic,
      request: { ...ONE_PORT, backendNodes: pool },
      problems: ['pass AzureCloudProvider.basic({ virtualMachineSet })'],
      warnings: RETIRED,
    },
    {
      title: 'a VM set that the controller chooses is not that of a pool',
      controller: () => AzureCloudProvider.basic({ automaticVirtualMachineSet: true }),
      request: { ...ONE_PORT, backendNodes: pool },
      problems: ["backendNodes 'pool1' cannot be kept while the controller chooses the VM set"],
      warnings: RETIRED,
    },
    {
      title: 'a Basic balancer is retired, whatever it is asked',
      controller: basic,
      request: publicly,
      plan: { annotations: {} },
      warnings: RETIRED,
    },
    {
      title: 'a single Standard balancer keeps to nodes by the pods alone',
      controller: standard,
      request: { ...publicly, backendNodes: pool },
      plan: {
        annotations: {},
        externalTrafficPolicy: TrafficPolicy.LOCAL,
        nodeRestriction: NodeRestriction.BY_POD_PLACEMENT,
      },
    },
    {
      title: 'a single Standard balancer has every node as backend with policy Cluster',
      controller: standard,
      request: { ...publicly, backendNodes: pool, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ["backendNodes 'pool1' cannot be kept with traffic policy Cluster"],
    },
    {
      title: 'one of several Standard balancers serves nodes of its own',
      controller: multiple,
      request: { ...publicly, backendNodes: pool },
      plan: {
        annotations: keys({ 'azure-load-balancer-configurations': 'lb-2,lb-3' }),
        externalTrafficPolicy: TrafficPolicy.LOCAL,
        nodeRestriction: NodeRestriction.ON_SERVICE,
      },
      source: 'content/en/topics/multislb.md',
    },
    {
      title: 'the nodes of one of several balancers stay with policy Cluster',
      controller: multiple,
      request: { ...publicly, backendNodes: pool, trafficPolicy: TrafficPolicy.CLUSTER },
      plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER, nodeRestriction: NodeRestriction.ON_SERVICE },
    },
    {
      title: 'several balancers need to know whose nodes are meant',
      controller: () => AzureCloudProvider.multipleStandard(),
      request: { ...publicly, backendNodes: pool },
      problems: ['pass AzureCloudProvider.multipleStandard({ configurations })'],
    },
    {
      title: 'a traffic policy is passed on',
      controller: standard,
      request: { ...publicly, trafficPolicy: TrafficPolicy.LOCAL },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'the client address survives with policy Local',
      controller: standard,
      request: { ...publicly, clientAddress: ClientAddress.PRESERVE },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'the client address is lost with policy Cluster',
      controller: standard,
      request: { ...publicly, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ['clientAddress cannot be preserved with traffic policy Cluster'],
    },
    {
      title: 'the client address is replaced with policy Cluster',
      controller: standard,
      request: { ...publicly, clientAddress: ClientAddress.REPLACE },
      plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER },
    },
    {
      title: 'the client address is not replaced with policy Local',
      controller: standard,
      request: { ...publicly, clientAddress: ClientAddress.REPLACE, trafficPolicy: TrafficPolicy.LOCAL },
      problems: ['clientAddress cannot be replaced with traffic policy Local'],
    },
    {
      title: 'pods that keep the traffic see the client',
      controller: standard,
      request: { ...publicly, clientAddress: ClientAddress.REPLACE, backendNodes: pool },
      problems: ['which backendNodes needs'],
    },
    {
      title: 'clients stick to a node and a pod',
      controller: standard,
      request: { ...publicly, sessionAffinity: {} },
      plan: { annotations: {}, sessionAffinity: {} },
      source: 'pkg/provider/azure_loadbalancer.go, LoadDistributionSourceIP',
    },
    {
      title: 'each IP family gets a frontend',
      controller: standard,
      request: { ...publicly, ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
      plan: { ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
    },
    {
      title: 'source ranges stand in the spec, where kube-proxy reads them too',
      controller: standard,
      request: { ...publicly, sourceRanges: ['10.0.0.0/8'] },
      plan: { annotations: {}, sourceRanges: ['10.0.0.0/8'] },
    },
    {
      title: 'source ranges stand in one place',
      controller: () => AzureCloudProvider.standard({ allowedIpRanges: ['10.0.0.0/8'] }),
      request: { ...publicly, sourceRanges: ['10.0.0.0/8'] },
      plan: { sourceRanges: undefined },
      problems: ['beside the option allowedIpRanges'],
    },
    {
      title: 'a private address of each family can be fixed',
      controller: standard,
      request: { ...ONE_PORT, staticAddresses: ['10.240.0.42', 'fd00::42'] },
      plan: {
        annotations: {
          ...internal,
          ...keys({ 'azure-load-balancer-ipv4': '10.240.0.42', 'azure-load-balancer-ipv6': 'fd00::42' }),
        },
      },
    },
    {
      title: 'a public address is fixed by itself or by the name of its public IP',
      controller: standard,
      request: { ...publicly, staticAddresses: ['pip-1'] },
      plan: { annotations: keys({ 'azure-pip-name': 'pip-1' }), loadBalancers: 1 },
    },
    {
      title: 'a public balancer has no private address',
      controller: standard,
      request: { ...publicly, staticAddresses: ['10.240.0.42'] },
      problems: ["a public balancer cannot have the address '10.240.0.42'"],
      source: 'pkg/provider/azure_publicip_repo.go, validatePublicIPCandidate',
    },
    {
      title: 'an internal balancer has no public IP',
      controller: standard,
      request: { ...ONE_PORT, staticAddresses: ['pip-1'] },
      problems: ["an internal balancer cannot have a public IP, with value 'pip-1'"],
    },
    {
      title: 'a family has one address',
      controller: standard,
      request: { ...ONE_PORT, staticAddresses: ['10.0.0.4', '10.0.0.5'] },
      problems: ["both '10.0.0.4' and '10.0.0.5'", "both '10.0.0.5' and '10.0.0.4'"],
    },
    {
      title: 'names and addresses are not mixed',
      controller: standard,
      request: { ...publicly, staticAddresses: ['20.1.2.3', 'pip-1'] },
      problems: ['names and addresses cannot be mixed', 'names and addresses cannot be mixed'],
    },
    {
      title: 'a Basic balancer has no fixed IPv6 address',
      controller: basic,
      request: { ...ONE_PORT, staticAddresses: ['fd00::42'] },
      problems: ['a Basic balancer cannot have a fixed address'],
      warnings: RETIRED,
    },
    {
      title: 'an address decides the balancer, so configurations cannot',
      controller: multiple,
      request: { ...publicly, staticAddresses: ['20.1.2.3'] },
      problems: ['cannot be fixed while configurations choose the balancer'],
    },
    {
      title: 'Services share the frontend of a public IP by its name',
      controller: () => AzureCloudProvider.standard().shared('pip-1'),
      request: publicly,
      plan: { annotations: keys({ 'azure-pip-name': 'pip-1' }), loadBalancers: 0 },
      source: 'content/en/topics/shared-ip.md',
    },
    {
      title: 'Services share an internal frontend by its address',
      controller: () => AzureCloudProvider.multipleStandard().shared('10.240.0.42'),
      request: ONE_PORT,
      plan: { annotations: { ...internal, ...keys({ 'azure-load-balancer-ipv4': '10.240.0.42' }) }, loadBalancers: 0 },
    },
    {
      title: 'an internal frontend has no name to share',
      controller: () => AzureCloudProvider.standard().shared('pip-1'),
      request: ONE_PORT,
      problems: ["an internal balancer cannot have a public IP, with value 'pip-1'"],
    },
    {
      title: 'a shared address leaves no room for another',
      controller: () => AzureCloudProvider.standard().shared('20.1.2.3'),
      request: { ...publicly, staticAddresses: ['20.1.2.4'] },
      problems: ["both '20.1.2.4' and '20.1.2.3'", "both '20.1.2.3' and '20.1.2.4'"],
    },
    {
      title: 'a balancer speaks no proxy protocol',
      controller: standard,
      request: { ...publicly, proxyProtocol: true },
      problems: ['set the option plsCreate'],
    },
    {
      title: 'a private link service speaks proxy protocol',
      controller: () => AzureCloudProvider.standard({ plsCreate: true }),
      request: { ...ONE_PORT, proxyProtocol: true },
      plan: {
        annotations: { ...internal, ...keys({ 'azure-pls-create': 'true', 'azure-pls-proxy-protocol': 'true' }) },
      },
    },
    {
      title: 'without proxy protocol there is nothing to write',
      controller: standard,
      request: { ...publicly, proxyProtocol: false },
      plan: { annotations: {} },
    },
    {
      title: 'TCP and UDP live on one Service',
      controller: standard,
      request: { ...publicly, ports: [{ port: 53 }, UDP] },
      plan: { annotations: {} },
    },
    {
      title: 'SCTP needs an internal Standard balancer',
      controller: standard,
      request: { ports: [SCTP] },
      plan: { annotations: internal },
      source: 'pkg/provider/azure_loadbalancer.go, getExpectedLBRules',
    },
    {
      title: 'a public balancer forwards no SCTP',
      controller: standard,
      request: { ...publicly, ports: [SCTP] },
      problems: ['a public balancer cannot forward SCTP port 132'],
    },
    {
      title: 'a Basic balancer forwards no SCTP',
      controller: basic,
      request: { ports: [SCTP] },
      problems: ['a Basic balancer cannot forward SCTP port 132'],
      warnings: RETIRED,
    },
    {
      title: 'a health check becomes the probe of the Service and of each port',
      controller: standard,
      request: {
        scheme: LoadBalancerScheme.INTERNET_FACING,
        ports: [{ port: 80, appProtocol: 'kubernetes.io/h2c' }, { port: 8080, appProtocol: 'http' }, UDP],
        healthCheck: {
          protocol: HealthCheckProtocol.HTTP,
          path: '/ready',
          port: 9000,
          interval: Duration.seconds(10),
          unhealthyThreshold: 3,
        },
      },
      plan: {
        annotations: keys({
          'azure-load-balancer-health-probe-interval': '10',
          'azure-load-balancer-health-probe-num-of-probe': '3',
          'azure-load-balancer-health-probe-protocol': 'http',
          'azure-load-balancer-health-probe-request-path': '/ready',
          'port_80_health-probe_port': '9000',
          'port_80_health-probe_protocol': 'http',
          'port_8080_health-probe_port': '9000',
        }),
      },
      source: 'pkg/provider/azure_loadbalancer_healthprobe.go',
    },
    {
      title: 'a probe knows neither timeout nor healthyThreshold',
      controller: standard,
      request: { ...publicly, healthCheck: { healthyThreshold: 2, timeout: Duration.seconds(3) } },
      problems: ['no healthyThreshold, with value 2', 'no timeout, with value 3'],
    },
    {
      title: 'a probe interval is at least five seconds',
      controller: standard,
      request: { ...publicly, healthCheck: { interval: Duration.seconds(2) } },
      problems: ["'2' is not a whole number of at least 5"],
    },
    {
      title: 'UDP is not probed with policy Cluster',
      controller: standard,
      request: { ...publicly, ports: [UDP], healthCheck: { interval: Duration.seconds(10) } },
      problems: ['ports of UDP have no healthCheck'],
    },
    {
      title: 'UDP is probed with policy Local',
      controller: standard,
      request: {
        ...publicly,
        ports: [UDP],
        trafficPolicy: TrafficPolicy.LOCAL,
        healthCheck: { interval: Duration.seconds(10) },
      },
      plan: { annotations: keys({ 'azure-load-balancer-health-probe-interval': '10' }) },
    },
    {
      title: 'a Basic balancer has no https probe',
      controller: basic,
      request: { ...publicly, healthCheck: { protocol: HealthCheckProtocol.HTTPS } },
      problems: ['cannot probe by https'],
      warnings: RETIRED,
    },
  ],
  services: [
    { title: 'a plain Service is fine', service: service() },
    {
      title: 'garbage makes no rule fall over',
      service: {
        spec: { ports: [null, 'x', {}], loadBalancerSourceRanges: [7], ipFamilies: 'IPv6' },
        metadata: { annotations: { [key('azure-load-balancer-mode')]: 7 } },
      },
    },
    {
      title: 'interval times number of probes stays below 120 seconds',
      service: with_({ 'azure-load-balancer-health-probe-interval': '60' }),
      errors: ['azure-probe-window'],
    },
    {
      title: 'so it does for a port',
      service: with_({ 'port_443_health-probe_interval': '12', 'port_443_health-probe_num-of-probe': '10' }),
      errors: ['azure-probe-window'],
    },
    {
      title: 'so it does for the probe of policy Local, whatever the ports',
      service: local({ 'azure-load-balancer-health-probe-interval': '60' }, { ports: [UDP] }),
      errors: ['azure-probe-window'],
    },
    {
      title: 'a port without a probe has no window',
      service: with_({ port_443_no_probe_rule: 'TRUE', 'azure-load-balancer-health-probe-interval': '60' }),
    },
    {
      title: 'annotations of a port are for a port of the Service',
      service: with_({ port_80_no_lb_rule: 'true', port_https_no_probe_rule: 'true' }),
      errors: ['azure-unknown-port', 'azure-unknown-port'],
    },
    {
      title: 'the probe of policy Local has a port of its own',
      service: local({ 'port_32000_health-probe_interval': '10' }, { healthCheckNodePort: 32000 }),
    },
    {
      title: 'a probe port has the name of a port of the Service',
      service: with_({ 'port_443_health-probe_port': 'status' }),
      errors: ['azure-unknown-probe-port'],
    },
    {
      title: 'the name of a port is read in any case',
      service: with_({ 'port_443_health-probe_port': 'HTTPS' }, { ports: [{ port: 443, name: 'https' }] }),
    },
    {
      title: 'ranges stand in one place',
      service: with_({ 'azure-allowed-ip-ranges': '10.0.0.0/8' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      errors: ['azure-two-range-lists'],
    },
    {
      title: 'the older annotation for ranges counts as well',
      service: with_({ 'load-balancer-source-ranges': '10.0.0.0/8' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      errors: ['azure-two-range-lists'],
    },
    {
      title: 'a range with host bits is dropped',
      service: with_({}, { loadBalancerSourceRanges: ['10.0.0.1/8', 'fd00::/8', '2001:db8::1/64', '0.0.0.0/0'] }),
      errors: ['azure-range-has-host-bits', 'azure-range-has-host-bits'],
    },
    {
      title: 'kube-proxy knows no service tags',
      service: with_({ 'azure-allowed-service-tags': 'AzureCloud' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      warnings: ['azure-tags-with-ranges'],
    },
    {
      title: 'denying all but nothing does nothing',
      service: with_({ 'azure-deny-all-except-load-balancer-source-ranges': 'true' }),
      warnings: ['azure-deny-all-without-ranges'],
    },
    {
      title: 'ranges in an annotation let the virtual network in',
      service: with_({ 'azure-load-balancer-internal': 'true', 'azure-allowed-ip-ranges': '10.0.0.0/8' }),
      warnings: ['azure-ranges-admit-network'],
    },
    {
      title: 'unless all else is denied',
      service: with_({
        'azure-load-balancer-internal': 'true',
        'azure-allowed-ip-ranges': '10.0.0.0/8',
        'azure-deny-all-except-load-balancer-source-ranges': 'true',
      }),
    },
    {
      title: 'high availability ports are internal',
      service: with_({ 'azure-load-balancer-enable-high-availability-ports': 'true' }),
      errors: ['azure-ha-ports-public'],
    },
    {
      title: 'a balancer is internal only by the exact word',
      service: with_({
        'azure-load-balancer-internal': 'True',
        'azure-load-balancer-enable-high-availability-ports': 'true',
      }),
      errors: ['azure-ha-ports-public'],
    },
    { title: 'SCTP is internal', service: with_({}, { ports: [SCTP] }), errors: ['azure-sctp'] },
    { title: 'SCTP without a rule harms nobody', service: with_({ port_132_no_lb_rule: 'true' }, { ports: [SCTP] }) },
    {
      title: 'a public balancer has a public address',
      service: with_({ 'azure-load-balancer-ipv4': '100.64.0.9' }),
      errors: ['azure-private-address-of-public'],
    },
    {
      title: 'an address decides the balancer',
      controller: multiple,
      service: with_({ 'azure-load-balancer-configurations': 'lb-2', 'azure-pip-name': 'pip-1' }),
      errors: ['azure-configurations-with-address'],
    },
    {
      title: 'spec.loadBalancerIP decides it too',
      controller: multiple,
      service: with_({ 'azure-load-balancer-configurations': 'lb-2' }, { loadBalancerIP: '20.1.2.3' }),
      errors: ['azure-configurations-with-address'],
      warnings: ['azure-load-balancer-ip'],
    },
    {
      title: 'spec.loadBalancerIP is deprecated',
      service: with_({}, { loadBalancerIP: '20.1.2.3' }),
      warnings: ['azure-load-balancer-ip'],
    },
    {
      title: 'Standard ignores the mode',
      service: with_({ 'azure-load-balancer-mode': 'pool1' }),
      warnings: ['azure-ignored-by-sku'],
    },
    {
      title: 'several Standard balancers ignore the mode',
      controller: multiple,
      service: with_({ 'azure-load-balancer-mode': '__auto__' }),
      warnings: ['azure-ignored-by-sku'],
    },
    {
      title: 'one Standard balancer ignores configurations',
      service: with_({ 'azure-load-balancer-configurations': 'lb-2' }),
      warnings: ['azure-ignored-by-sku'],
    },
    {
      title: 'Basic ignores what Standard reads',
      controller: basic,
      service: with_({ 'azure-load-balancer-disable-tcp-reset': 'true' }),
      warnings: ['azure-ignored-by-sku'],
    },
    {
      title: 'a node pool is no VM set',
      controller: basic,
      service: with_({ 'azure-load-balancer-mode': 'pool1' }),
      warnings: ['azure-mode-names-pool'],
    },
    {
      title: 'a VM set is one',
      controller: basic,
      service: with_({ 'azure-load-balancer-mode': 'aks-pool1-27255451-vmss' }),
    },
    {
      title: 'a subnet is for internal balancers',
      service: with_({ 'azure-load-balancer-internal-subnet': 'apps' }),
      warnings: ['azure-ignored-by-scheme'],
    },
    {
      title: 'a public IP is for public balancers',
      service: with_({
        'azure-load-balancer-internal': 'true',
        'azure-pip-name': 'pip-1',
        'azure-dns-label-name': 'echo',
      }),
      warnings: ['azure-ignored-by-scheme', 'azure-ignored-by-scheme'],
    },
    {
      title: 'without floating IP every port needs a node port',
      service: with_(
        { 'azure-disable-load-balancer-floating-ip': 'True' },
        { allocateLoadBalancerNodePorts: false, externalTrafficPolicy: 'Local' },
      ),
      errors: ['azure-no-node-port'],
    },
    {
      title: 'a fixed node port does',
      service: with_(
        { 'azure-disable-load-balancer-floating-ip': 'true' },
        { allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] },
      ),
    },
    {
      title: 'an internal IPv6 frontend targets node ports',
      service: with_(
        { 'azure-load-balancer-internal': 'true' },
        { allocateLoadBalancerNodePorts: false, externalTrafficPolicy: 'Local', ipFamilies: ['IPv6'] },
      ),
      errors: ['azure-no-node-port'],
    },
    {
      title: 'with policy Cluster node ports are probed',
      service: with_({}, { allocateLoadBalancerNodePorts: false }),
      warnings: ['azure-no-node-port-to-probe'],
    },
    { title: 'with policy Local they are not', service: local({}, { allocateLoadBalancerNodePorts: false }) },
    {
      title: 'a probe port elsewhere does',
      service: with_({ 'port_443_health-probe_port': '10256' }, { allocateLoadBalancerNodePorts: false }),
    },
    {
      title: 'policy Local ignores protocol and path',
      service: local({
        'azure-load-balancer-health-probe-protocol': 'http',
        'azure-load-balancer-health-probe-request-path': '/ready',
      }),
      warnings: ['azure-local-ignores-probe', 'azure-local-ignores-probe'],
    },
    {
      title: 'policy Local ignores the probe of a port',
      service: local({ 'port_443_health-probe_interval': '10' }),
      warnings: ['azure-local-ignores-probe'],
    },
    {
      title: 'proxy protocol of a private link service takes the probe of policy Local away',
      service: local({
        'azure-load-balancer-internal': 'true',
        'azure-pls-create': 'true',
        'azure-pls-proxy-protocol': 'true',
        'azure-load-balancer-health-probe-protocol': 'http',
      }),
    },
    {
      title: 'a probe port sends traffic to nodes without a pod',
      service: local({ 'port_443_health-probe_port': '10256', 'port_443_health-probe_protocol': 'http' }),
      warnings: ['azure-probe-defeats-local'],
    },
    { title: 'the node port of the Service does not', service: local({ 'port_443_health-probe_port': '443' }) },
    {
      title: 'a path needs http',
      service: with_({ 'azure-load-balancer-health-probe-request-path': '/ready' }),
      warnings: ['azure-path-with-tcp'],
    },
    {
      title: 'a path of a port needs http',
      service: with_(
        { 'port_443_health-probe_request-path': '/ready', 'azure-load-balancer-health-probe-protocol': 'http' },
        { ports: [{ port: 443, appProtocol: 'grpc' }] },
      ),
      warnings: ['azure-path-with-tcp'],
    },
    {
      title: 'appProtocol makes a probe http',
      service: with_(
        { 'azure-load-balancer-health-probe-request-path': '/ready' },
        { ports: [{ port: 443, appProtocol: 'HTTPS' }] },
      ),
    },
    {
      title: 'a private link service has no more addresses than its count',
      service: with_({
        'azure-load-balancer-internal': 'true',
        'azure-pls-create': 'true',
        'azure-pls-ip-configuration-ip-address': '10.0.0.7  10.0.0.8',
      }),
      errors: ['azure-pls-addresses'],
    },
    {
      title: 'a private link service has to be made',
      service: with_({ 'azure-pls-name': 'x', 'azure-pls-visibility': '*' }),
      warnings: ['azure-pls-without-create'],
    },
    {
      title: 'a private link service has no public frontend with floating IP',
      service: with_({ 'azure-pls-create': 'true' }),
      errors: ['azure-pls-frontend'],
    },
    {
      title: 'a private link service has no IPv6 frontend',
      service: with_({ 'azure-load-balancer-internal': 'true', 'azure-pls-create': 'true' }, { ipFamilies: ['IPv6'] }),
      errors: ['azure-pls-frontend'],
    },
    {
      title: 'a private link service has a public frontend without floating IP',
      service: with_({ 'azure-pls-create': 'true', 'azure-disable-load-balancer-floating-ip': 'true' }),
    },
    {
      title: 'shared security rules are gone',
      service: with_({ 'azure-shared-securityrule': 'true' }),
      warnings: ['azure-removed-annotation'],
    },
  ],
};
