import {
  Annotation,
  AnnotationCatalogue,
  type AnnotationFact,
  type AnyAnnotation,
} from '../contract/annotation-catalogue';
import {
  address,
  type Codec,
  cidr,
  codec,
  duration,
  exactFlag,
  integer,
  list,
  oneOf,
  text,
} from '../contract/annotation-codec';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../contract/kubernetes.facts';
import { isIpv6, portFault } from '../contract/kubernetes-syntax';

/** Upstream name of the controller. */
export const AZURE_CONTROLLER = 'cloud-provider-azure';

/** Where these facts were read. */
export const AZURE_SOURCE: Citation = {
  repository: 'kubernetes-sigs/cloud-provider-azure',
  version: 'v1.36.5',
  file: 'pkg/consts/consts.go',
};

/** A file of the same version. */
export const azureFile = (file: string): Citation => ({ ...AZURE_SOURCE, file });

/** A page of its documentation. */
export const azureDocs = (page: string): Citation => ({
  ...AZURE_SOURCE,
  version: 'documentation branch of 2026-08-13',
  file: `content/en/topics/${page}.md`,
});

/** The value of the mode annotation that lets the controller choose the VM set. */
export const AUTOMATIC_VM_SET = '__auto__';

const LOAD_BALANCER = azureFile('pkg/provider/azure_loadbalancer.go');
const HEALTH_PROBE = azureFile('pkg/provider/azure_loadbalancer_healthprobe.go');
const PRIVATE_LINK = azureFile('pkg/provider/azure_privatelinkservice.go');
const ACCESS = azureFile('pkg/provider/loadbalancer/configuration.go');

const PREFIX = 'service.beta.kubernetes.io/';

/** How the keys of single ports begin. */
export const AZURE_PORT_PREFIX = `${PREFIX}port_`;

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

function entry<T>(name: string, fact: Facts<T>): Annotation<T> {
  const common = { badValue: 'refused', source: LOAD_BALANCER, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ ...common, ...fact, key: PREFIX + name });
}

const lower = (value: string) => value.trim().toLowerCase();
const trim = (value: string) => value.trim();

/** The controller reads more spellings than we write. */
function leniently<T>(inner: Codec<T>, normalise: (text: string) => string): Codec<T> {
  return codec(
    inner.says,
    (value: T) => inner.encode(value),
    (read) => inner.decode(normalise(read)),
  );
}

/** Only `true` in any case switches on; every other text means off. */
const switchedOn = () => leniently(exactFlag(), (read) => read.toLowerCase());
const seconds = (min: number) => leniently(duration('seconds', min), trim);
const count = (min: number, max?: number) => leniently(integer(min, max), trim);
const probeProtocol = () => leniently(oneOf(['tcp', 'http', 'https']), lower);
const path = () => text({ says: 'a path like /healthz', matches: /^\/\S*$/ });
const name = (what: string) =>
  text({ says: `the name of ${what}`, matches: /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,78}[A-Za-z0-9_])?$/ });
const resourceGroup = () =>
  leniently(
    text({ says: 'the name of a resource group', matches: /^[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]$/u }),
    trim,
  );
const prefixId = () =>
  text({
    says: 'the resource ID of a public IP prefix',
    matches: /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Network\/publicIPPrefixes\/[^/]+$/i,
  });

/** An address range without host bits: the controller drops `10.0.0.1/8`. */
export function network(): Codec<string> {
  const range = cidr();
  return codec(range.says, String, (read) => {
    const syntax = range.decode(read);
    return !('fault' in syntax) && hasHostBits(read)
      ? { fault: `'${read}' has bits set beyond its prefix length` }
      : syntax;
  });
}

function hasHostBits(range: string): boolean {
  const [ip, length] = range.split('/');
  const groups = isIpv6(ip) ? groupsOfIpv6(ip) : ip.split('.').map(Number);
  const bits = groups.map((group) => group.toString(2).padStart(isIpv6(ip) ? 16 : 8, '0')).join('');
  return bits.slice(Number(length)).includes('1');
}

function groupsOfIpv6(ip: string): number[] {
  const [head, tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array(zeros).fill('0'), ...groups(tail)].map((group) => Number.parseInt(group, 16));
}

/** Comma-separated addresses; unlike elsewhere a blank makes one unreadable. */
function addresses(): Codec<string[]> {
  const inner = list(address());
  return codec(
    'comma-separated IP addresses without blanks',
    (values) => inner.encode(values),
    (read) => (/\s/.test(read.trim()) ? { fault: `'${read}' holds blanks` } : inner.decode(read)),
  );
}

/** Values with blanks between them; more than one blank does not count. */
function spaced(item: Codec<string>): Codec<string[]> {
  const inner = list(item, ' ');
  return codec(
    `${item.says}; several separated by blanks`,
    (values) => inner.encode(values),
    (read) => inner.decode(read.trim().replace(/ +/g, ' ')),
  );
}

/** Subscription IDs, or the one word `*` for all of them. */
function subscriptions(everybody: boolean): Codec<string[]> {
  const inner = spaced(text({ says: 'a subscription ID', matches: everybody ? /^\S+$/ : /^[^\s*]+$/ }));
  return codec(
    everybody ? `${inner.says}, or * alone` : inner.says,
    (values) => inner.encode(values),
    (read) => {
      const parts = read.trim().split(/ +/);
      return parts.length > 1 && parts.includes('*')
        ? { fault: `'${read}' means everybody, whatever stands beside the *` }
        : inner.decode(read);
    },
  );
}

/** `key=value` pairs; there is no escape, and a pair without exactly one equals sign is dropped in silence. */
function tags(reserved?: RegExp): Codec<Record<string, string>> {
  const says = 'key=value pairs without further commas or equals signs';
  return codec(
    says,
    (map) => {
      const odd = Object.entries(map).find((pair) => pair.some((part) => /[,=]/.test(String(part))));
      if (odd) {
        throw new Error(`'${odd.join('=')}' is not ${says}`);
      }
      return Object.entries(map)
        .map((pair) => pair.join('='))
        .join(',');
    },
    (read) => {
      const map: Record<string, string> = {};
      for (const pair of read.trim().split(',')) {
        const [key, value, more] = pair.split('=').map(trim);
        if (!key || value === undefined || more !== undefined) {
          return { fault: `'${pair}' is not ${says}` };
        }
        if (reserved?.test(key)) {
          return { fault: `tag '${key}' is reserved for Azure` };
        }
        map[key] = value;
      }
      return { value: map };
    },
  );
}

/** One VM set. Lists were read until December 2020 (commit a2f2edaa). */
function virtualMachineSet(): Codec<string> {
  const says = `the name of one VM set, or ${AUTOMATIC_VM_SET}`;
  return codec<string>(says, String, (read) => {
    const value = read.trim();
    if (value.toLowerCase() === AUTOMATIC_VM_SET) {
      return { value: AUTOMATIC_VM_SET };
    }
    if (value.includes(',')) {
      return { fault: `'${read}' is a list, which is taken for one name` };
    }
    return /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(value) ? { value } : { fault: `'${read}' is not ${says}` };
  });
}

/** A port of the nodes, or the name of a port of the Service. */
function probePort(): Codec<string> {
  const says = 'a port number, or the name of a port of the Service';
  return codec<string>(says, String, (read) => {
    const fault = /^\d+$/.test(read) ? portFault(Number(read)) : !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(read);
    return fault ? { fault: `'${read}' is not ${says}` } : { value: read };
  });
}

/** The annotations of the Azure cloud provider. */
export const AZURE = {
  loadBalancerInternal: entry('azure-load-balancer-internal', {
    option: 'loadBalancerInternal',
    codec: exactFlag(),
    default: 'false: public',
    since: 'v1.10',
    badValue: 'accepted',
    remark:
      'compared exactly where the balancer is chosen, so True makes a public one; a change moves the Service to another address',
  }),
  internalSubnet: entry('azure-load-balancer-internal-subnet', {
    option: 'internalSubnet',
    codec: name('a subnet'),
    default: 'the subnet of the cloud configuration',
    since: 'v1.10',
    remark: 'only with an internal balancer; the identity of the cluster must be allowed to read and join the subnet',
  }),
  loadBalancerIpv4: entry('azure-load-balancer-ipv4', {
    option: 'loadBalancerIpv4',
    codec: address(4),
    default: 'assigned',
    since: 'v1.21',
    remark:
      'a public one must exist already; a private one must lie in the subnet; Services of one address share its frontend',
  }),
  loadBalancerIpv6: entry('azure-load-balancer-ipv6', {
    option: 'loadBalancerIpv6',
    codec: address(6),
    default: 'assigned',
    since: 'v1.21',
    remark: 'as for IPv4; Standard only',
  }),
  mode: entry('azure-load-balancer-mode', {
    option: 'virtualMachineSet',
    codec: virtualMachineSet(),
    default: 'the primary VM set',
    since: 'v1.10',
    remark: 'Basic only, ignored by Standard without an event; the name of a VM set, which is not that of the AKS pool',
  }),
  configurations: entry('azure-load-balancer-configurations', {
    option: 'configurations',
    codec: list(name('a load balancer configuration')),
    default: 'every configuration is a candidate',
    since: 'v1.28',
    badValue: 'accepted',
    remark: 'multiple Standard balancers only; not together with a fixed address',
  }),
  loadBalancerResourceGroup: entry('azure-load-balancer-resource-group', {
    option: 'loadBalancerResourceGroup',
    codec: resourceGroup(),
    default: 'the node resource group',
    since: 'v1.10',
    remark: 'the group of the public IP, not of the balancer',
  }),
  tcpIdleTimeout: entry('azure-load-balancer-tcp-idle-timeout', {
    option: 'tcpIdleTimeout',
    codec: leniently(duration('minutes', 4, 100), trim),
    default: '4 minutes',
    since: 'v1.11.4',
  }),
  disableTcpReset: entry('azure-load-balancer-disable-tcp-reset', {
    option: 'disableTcpReset',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.25',
    badValue: 'accepted',
    remark: 'Standard only',
  }),
  enableHighAvailabilityPorts: entry('azure-load-balancer-enable-high-availability-ports', {
    option: 'enableHighAvailabilityPorts',
    codec: switchedOn(),
    default: 'false: one rule per port',
    since: 'v1.20',
    badValue: 'accepted',
    remark: 'internal Standard only; one such rule per frontend',
  }),
  disableFloatingIp: entry('azure-disable-load-balancer-floating-ip', {
    option: 'disableFloatingIp',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.21',
    badValue: 'accepted',
    remark: 'the rules then target node ports, so every port needs one',
  }),
  disableNsgRule: entry('azure-disable-load-balancer-nsg-rule', {
    option: 'disableNsgRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.35.8, v1.36.2',
    badValue: 'accepted',
    remark: 'break-glass: the network security group is then yours',
  }),
  healthProbeProtocol: entry('azure-load-balancer-health-probe-protocol', {
    option: 'healthProbeProtocol',
    codec: probeProtocol(),
    default: 'tcp; http on healthCheckNodePort with traffic policy Local',
    since: 'v1.10',
    badValue: 'accepted',
    source: HEALTH_PROBE,
    remark: 'appProtocol of a port goes before it; ignored with traffic policy Local; https falls back to tcp on Basic',
  }),
  healthProbeRequestPath: entry('azure-load-balancer-health-probe-request-path', {
    option: 'healthProbeRequestPath',
    codec: path(),
    default: '/',
    since: 'v1.20',
    source: HEALTH_PROBE,
    remark: 'http and https only; ignored with traffic policy Local',
  }),
  healthProbeInterval: entry('azure-load-balancer-health-probe-interval', {
    option: 'healthProbeInterval',
    codec: seconds(5),
    default: '5 seconds',
    since: 'v1.21',
    source: HEALTH_PROBE,
    remark: 'times the number of probes it must stay below 120 seconds; counts with traffic policy Local too',
  }),
  healthProbeNumOfProbe: entry('azure-load-balancer-health-probe-num-of-probe', {
    option: 'healthProbeNumOfProbe',
    codec: count(2),
    default: '2',
    since: 'v1.21',
    source: HEALTH_PROBE,
    remark: 'failures that take a node out; counts with traffic policy Local too',
  }),
  dnsLabelName: entry('azure-dns-label-name', {
    option: 'dnsLabelName',
    codec: codec<string>('a DNS label, or nothing to remove it', String, (read) =>
      /^([a-z]([a-z0-9-]{1,61}[a-z0-9]))?$/.test(read)
        ? { value: read }
        : { fault: `'${read}' is no DNS label of Azure` },
    ),
    default: 'none',
    since: 'v1.15',
    remark: 'unique in the region; one Service per public IP; the empty text removes the label',
  }),
  pipName: entry('azure-pip-name', {
    option: 'pipName',
    codec: name('a public IP'),
    default: 'generated',
    since: 'v1.16, shared since v1.24',
    remark:
      'must exist already; of IPv4, or of the only family of the Service; Services of one name share its frontend',
  }),
  pipNameIpv6: entry('azure-pip-name-ipv6', {
    option: 'pipNameIpv6',
    codec: name('a public IP'),
    default: 'generated',
    since: 'v1.27',
    remark: 'must exist already; Standard only',
  }),
  pipPrefixId: entry('azure-pip-prefix-id', {
    option: 'pipPrefixId',
    codec: prefixId(),
    default: 'none',
    since: 'v1.21',
    remark: 'Standard only',
  }),
  pipPrefixIdIpv6: entry('azure-pip-prefix-id-ipv6', {
    option: 'pipPrefixIdIpv6',
    codec: prefixId(),
    default: 'none',
    since: 'v1.27',
    remark: 'Standard only',
  }),
  pipTags: entry('azure-pip-tags', {
    option: 'pipTags',
    codec: tags(/^(aks-managed|k8s-azure|(service|cluster-name)$)/i),
    default: 'none',
    since: 'v1.20',
    badValue: 'accepted',
    source: azureDocs('tagging-resources'),
    remark: 'for public IPs that the controller made; tags that vanish from the list stay on the address',
  }),
  pipIpTags: entry('azure-pip-ip-tags', {
    option: 'pipIpTags',
    codec: tags(),
    default: 'none',
    since: 'v1.21',
    badValue: 'accepted',
    remark: 'Standard only; a change may replace the public IP by a new one',
  }),
  allowedServiceTags: entry('azure-allowed-service-tags', {
    option: 'allowedServiceTags',
    codec: list(text({ says: 'a service tag like AzureCloud', matches: /^[A-Za-z][A-Za-z0-9._-]*$/ })),
    default: 'none',
    since: 'v1.11',
    source: ACCESS,
    remark: 'not together with loadBalancerSourceRanges, which kube-proxy enforces without knowing tags',
  }),
  allowedIpRanges: entry('azure-allowed-ip-ranges', {
    option: 'allowedIpRanges',
    codec: list(network()),
    default: 'none',
    since: 'v1.29',
    badValue: 'accepted',
    source: ACCESS,
    remark: 'network security group only; an unreadable range shuts out everything that is not listed',
  }),
  denyAllExceptLoadBalancerSourceRanges: entry('azure-deny-all-except-load-balancer-source-ranges', {
    option: 'denyAllExceptLoadBalancerSourceRanges',
    codec: switchedOn(),
    default: 'false: the virtual network may always connect',
    since: 'v1.21',
    badValue: 'accepted',
    source: azureFile('pkg/provider/loadbalancer/accesscontrol.go'),
    remark: 'does nothing without ranges',
  }),
  additionalPublicIps: entry('azure-additional-public-ips', {
    option: 'additionalPublicIps',
    codec: addresses(),
    default: 'none',
    since: 'v1.20',
    source: ACCESS,
    remark: 'not made by the controller, only published for kube-proxy',
  }),
  plsCreate: entry('azure-pls-create', {
    option: 'plsCreate',
    codec: switchedOn(),
    default: 'false',
    badValue: 'accepted',
    source: PRIVATE_LINK,
    remark: 'internal, or with floating IP disabled; IPv4 only; at most 8 on one balancer',
  }),
  plsName: entry('azure-pls-name', {
    option: 'plsName',
    codec: leniently(name('a private link service'), trim),
    default: 'pls- and the name of the frontend',
    source: PRIVATE_LINK,
    remark: 'cannot be changed later',
  }),
  plsResourceGroup: entry('azure-pls-resource-group', {
    option: 'plsResourceGroup',
    codec: resourceGroup(),
    default: 'that of the cloud configuration',
    source: PRIVATE_LINK,
  }),
  plsIpConfigurationSubnet: entry('azure-pls-ip-configuration-subnet', {
    option: 'plsIpConfigurationSubnet',
    codec: name('a subnet'),
    default: 'the internal subnet of the Service, else that of the cloud configuration',
    source: PRIVATE_LINK,
    remark: 'in the virtual network of the nodes',
  }),
  plsIpConfigurationIpAddressCount: entry('azure-pls-ip-configuration-ip-address-count', {
    option: 'plsIpConfigurationIpAddressCount',
    codec: count(1, 8),
    default: '1',
    source: PRIVATE_LINK,
  }),
  plsIpConfigurationIpAddress: entry('azure-pls-ip-configuration-ip-address', {
    option: 'plsIpConfigurationIpAddress',
    codec: spaced(address(4)),
    default: 'assigned',
    source: PRIVATE_LINK,
    remark: 'the first one is the primary one; not more than the address count',
  }),
  plsFqdns: entry('azure-pls-fqdns', {
    option: 'plsFqdns',
    codec: spaced(text({ says: 'a domain name', matches: /^[A-Za-z0-9_*]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/ })),
    default: 'none',
    source: PRIVATE_LINK,
  }),
  plsProxyProtocol: entry('azure-pls-proxy-protocol', {
    option: 'plsProxyProtocol',
    codec: switchedOn(),
    default: 'false',
    badValue: 'accepted',
    source: PRIVATE_LINK,
    remark: 'the pods must speak it; takes the probe of traffic policy Local away, each port is probed instead',
  }),
  plsVisibility: entry('azure-pls-visibility', {
    option: 'plsVisibility',
    codec: subscriptions(true),
    default: 'whom role-based access control admits',
    badValue: 'accepted',
    source: PRIVATE_LINK,
  }),
  plsAutoApproval: entry('azure-pls-auto-approval', {
    option: 'plsAutoApproval',
    codec: subscriptions(false),
    default: 'none',
    source: PRIVATE_LINK,
    remark: 'only for subscriptions that see the service',
  }),
  portNoLbRule: entry('port_{port}_no_lb_rule', {
    option: 'portNoLbRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.24',
    badValue: 'accepted',
    remark: 'neither rule nor probe',
  }),
  portNoProbeRule: entry('port_{port}_no_probe_rule', {
    option: 'portNoProbeRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.24',
    badValue: 'accepted',
    remark: 'a rule without a probe: every node gets traffic',
  }),
  portHealthProbeProtocol: entry('port_{port}_health-probe_protocol', {
    option: 'portHealthProbeProtocol',
    codec: probeProtocol(),
    default: 'appProtocol of the port, else that of the Service',
    since: 'v1.24',
    badValue: 'accepted',
    source: HEALTH_PROBE,
  }),
  portHealthProbePort: entry('port_{port}_health-probe_port', {
    option: 'portHealthProbePort',
    codec: probePort(),
    default: 'the node port',
    since: 'v1.24',
    source: HEALTH_PROBE,
    remark:
      'the number or name of a port of the Service means its node port; replaces the probe of traffic policy Local',
  }),
  portHealthProbeRequestPath: entry('port_{port}_health-probe_request-path', {
    option: 'portHealthProbeRequestPath',
    codec: path(),
    default: 'that of the Service, else /',
    since: 'v1.20',
    source: HEALTH_PROBE,
  }),
  portHealthProbeInterval: entry('port_{port}_health-probe_interval', {
    option: 'portHealthProbeInterval',
    codec: seconds(5),
    default: 'that of the Service, else 5 seconds',
    since: 'v1.21',
    source: HEALTH_PROBE,
  }),
  portHealthProbeNumOfProbe: entry('port_{port}_health-probe_num-of-probe', {
    option: 'portHealthProbeNumOfProbe',
    codec: count(2),
    default: 'that of the Service, else 2',
    since: 'v1.21',
    source: HEALTH_PROBE,
  }),
  loadBalancerSourceRanges: new Annotation<string[]>({
    key: SOURCE_RANGES_ANNOTATION,
    option: 'loadBalancerSourceRanges',
    codec: list(network()),
    default: 'none',
    badValue: 'accepted',
    source: ACCESS,
    confidence: Confidence.SOURCE,
    remark: 'here the same as azure-allowed-ip-ranges: network security group only',
  }),
  sharedSecurityRule: entry('azure-shared-securityrule', {
    codec: switchedOn(),
    default: 'false',
    deprecated: true,
    badValue: 'accepted',
    source: azureDocs('loadbalancer'),
    remark: 'gone since v1.36.0',
  }),
};

/** Entries of one port of the Service. */
export const AZURE_OF_PORTS: readonly AnyAnnotation[] = [
  AZURE.portNoLbRule,
  AZURE.portNoProbeRule,
  AZURE.portHealthProbeProtocol,
  AZURE.portHealthProbePort,
  AZURE.portHealthProbeRequestPath,
  AZURE.portHealthProbeInterval,
  AZURE.portHealthProbeNumOfProbe,
];

/** Entries of the private link service, but for the one that makes it. */
export const AZURE_PRIVATE_LINK: readonly AnyAnnotation[] = [
  AZURE.plsName,
  AZURE.plsResourceGroup,
  AZURE.plsIpConfigurationSubnet,
  AZURE.plsIpConfigurationIpAddressCount,
  AZURE.plsIpConfigurationIpAddress,
  AZURE.plsFqdns,
  AZURE.plsProxyProtocol,
  AZURE.plsVisibility,
  AZURE.plsAutoApproval,
];

/** Entries that a public frontend alone reads. */
export const AZURE_PUBLIC_ONLY: readonly AnyAnnotation[] = [
  AZURE.loadBalancerResourceGroup,
  AZURE.dnsLabelName,
  AZURE.pipName,
  AZURE.pipNameIpv6,
  AZURE.pipPrefixId,
  AZURE.pipPrefixIdIpv6,
  AZURE.pipTags,
  AZURE.pipIpTags,
];

/** Entries that fix the address and so the balancer. */
export const AZURE_ADDRESSES: readonly Annotation<string>[] = [
  AZURE.loadBalancerIpv4,
  AZURE.loadBalancerIpv6,
  AZURE.pipName,
  AZURE.pipNameIpv6,
];

/** Which Azure Load Balancers a cluster has; it has one kind only. */
export type AzureSku = 'standard' | 'multiple-standard' | 'basic';

const STANDARD_ONLY: readonly AnyAnnotation[] = [
  AZURE.loadBalancerIpv6,
  AZURE.disableTcpReset,
  AZURE.enableHighAvailabilityPorts,
  AZURE.pipNameIpv6,
  AZURE.pipPrefixId,
  AZURE.pipPrefixIdIpv6,
  AZURE.pipIpTags,
  AZURE.additionalPublicIps,
  AZURE.plsCreate,
  ...AZURE_PRIVATE_LINK,
];

/** Entries that one kind of balancer ignores. */
export const AZURE_IGNORED: Readonly<Record<AzureSku, readonly AnyAnnotation[]>> = {
  standard: [AZURE.mode, AZURE.configurations],
  'multiple-standard': [AZURE.mode],
  basic: [AZURE.configurations, ...STANDARD_ONLY],
};

/** All of them. */
export const AZURE_CATALOGUE = new AnnotationCatalogue([`${PREFIX}azure-`, AZURE_PORT_PREFIX], Object.values(AZURE));
