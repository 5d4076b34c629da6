import {
  Annotation,
  AnnotationCatalogue,
  type AnnotationFact,
  type AnyAnnotation,
} from '../../contract/annotation-catalogue';
import { address, duration, exactFlag, list, text } from '../../contract/annotation-codec';
import { maskedCidr } from '../../contract/annotation-codecs-network';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ADDRESS, type OwnThing, SHARED_ADDRESS } from '../../contract/own-thing';
import {
  addresses,
  count,
  dnsLabel,
  name,
  path,
  prefixId,
  probePort,
  probeProtocol,
  resourceGroup,
  seconds,
  spaced,
  subscriptions,
  switchedOn,
  tags,
  trimmed,
  virtualMachineSet,
} from './codecs';

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

/** The files that several facts and rules were read in. */
export const AZURE_FILES = {
  loadBalancer: azureFile('pkg/provider/azure_loadbalancer.go'),
  healthProbe: azureFile('pkg/provider/azure_loadbalancer_healthprobe.go'),
  privateLink: azureFile('pkg/provider/azure_privatelinkservice.go'),
  publicIps: azureFile('pkg/provider/azure_publicip_repo.go'),
  access: azureFile('pkg/provider/loadbalancer/configuration.go'),
  accessControl: azureFile('pkg/provider/loadbalancer/accesscontrol.go'),
  utils: azureFile('pkg/provider/azure_utils.go'),
};

const PREFIX = 'service.beta.kubernetes.io/';

/** How the keys of this controller begin, those of single ports apart. */
export const AZURE_PREFIX = `${PREFIX}azure-`;

/** How the keys of single ports begin. */
export const AZURE_PORT_PREFIX = `${PREFIX}port_`;

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

/** An entry of the catalogue, by its key without the prefix. */
function entry<T>(name: string, fact: Facts<T>): Annotation<T> {
  const common = {
    badValue: 'refused',
    source: AZURE_FILES.loadBalancer,
    confidence: Confidence.SOURCE,
  } as const;
  return new Annotation<T>({ ...common, ...fact, key: PREFIX + name });
}

/** Which Azure Load Balancers a cluster has; it has one kind only. */
export type AzureSku = 'standard' | 'multiple-standard' | 'basic';

/** How the balancer is chosen, and how it forwards. */
export const AZURE_BALANCER = {
  loadBalancerInternal: entry('azure-load-balancer-internal', {
    option: 'loadBalancerInternal',
    wish: LoadBalancerWish.SCHEME,
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
  mode: entry('azure-load-balancer-mode', {
    option: 'virtualMachineSet',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: virtualMachineSet(),
    default: 'the primary VM set',
    since: 'v1.10',
    remark: 'Basic only, ignored by Standard without an event; the name of a VM set, which is not that of the AKS pool',
  }),
  configurations: entry('azure-load-balancer-configurations', {
    option: 'configurations',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: list(name('a load balancer configuration')),
    default: 'every configuration is a candidate',
    since: 'v1.28',
    badValue: 'accepted',
    remark: 'multiple Standard balancers only; not together with a fixed address',
  }),
  tcpIdleTimeout: entry('azure-load-balancer-tcp-idle-timeout', {
    option: 'tcpIdleTimeout',
    codec: trimmed(duration('minutes', 4, 100)),
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
};

const RESOURCE_GROUP = entry('azure-load-balancer-resource-group', {
  option: 'loadBalancerResourceGroup',
  codec: resourceGroup(),
  default: 'the node resource group',
  since: 'v1.10',
  remark: 'the group of the public IP, not of the balancer',
});

const PUBLIC_IP: OwnThing = { ...SHARED_ADDRESS, thing: 'public IP', within: RESOURCE_GROUP.key() };

/** Addresses and public IPs. */
export const AZURE_ADDRESS = {
  loadBalancerIpv4: entry('azure-load-balancer-ipv4', {
    namesOne: SHARED_ADDRESS,
    option: 'loadBalancerIpv4',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: address(4),
    default: 'assigned',
    since: 'v1.21',
    remark:
      'a public one must exist already; a private one must lie in the subnet; Services of one address share its frontend',
  }),
  loadBalancerIpv6: entry('azure-load-balancer-ipv6', {
    namesOne: SHARED_ADDRESS,
    option: 'loadBalancerIpv6',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: address(6),
    default: 'assigned',
    since: 'v1.21',
    remark: 'as for IPv4; Standard only',
  }),
  loadBalancerResourceGroup: RESOURCE_GROUP,
  dnsLabelName: entry('azure-dns-label-name', {
    namesOne: { thing: 'DNS label', fate: 'a label belongs to one Service, and the controller refuses the other one' },
    option: 'dnsLabelName',
    codec: dnsLabel(),
    default: 'none',
    since: 'v1.15',
    remark: 'unique in the region; one Service per public IP; the empty text removes the label',
  }),
  pipName: entry('azure-pip-name', {
    namesOne: PUBLIC_IP,
    option: 'pipName',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: name('a public IP'),
    default: 'generated',
    since: 'v1.16, shared since v1.24',
    remark:
      'must exist already; of IPv4, or of the only family of the Service; Services of one name share its frontend',
  }),
  pipNameIpv6: entry('azure-pip-name-ipv6', {
    namesOne: PUBLIC_IP,
    option: 'pipNameIpv6',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
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
  additionalPublicIps: entry('azure-additional-public-ips', {
    namesOne: SHARED_ADDRESS,
    option: 'additionalPublicIps',
    codec: addresses(),
    default: 'none',
    since: 'v1.20',
    source: AZURE_FILES.access,
    remark: 'not made by the controller, only published for kube-proxy',
  }),
};

/** Entries that fix the address and so the balancer. */
export const AZURE_ADDRESSES: readonly Annotation<string>[] = [
  AZURE_ADDRESS.loadBalancerIpv4,
  AZURE_ADDRESS.loadBalancerIpv6,
  AZURE_ADDRESS.pipName,
  AZURE_ADDRESS.pipNameIpv6,
];

/** Entries that a public frontend alone reads. */
export const AZURE_PUBLIC_ONLY: readonly AnyAnnotation[] = [
  AZURE_ADDRESS.loadBalancerResourceGroup,
  AZURE_ADDRESS.dnsLabelName,
  AZURE_ADDRESS.pipName,
  AZURE_ADDRESS.pipNameIpv6,
  AZURE_ADDRESS.pipPrefixId,
  AZURE_ADDRESS.pipPrefixIdIpv6,
  AZURE_ADDRESS.pipTags,
  AZURE_ADDRESS.pipIpTags,
];

/** Who may connect: the network security group. */
export const AZURE_ACCESS = {
  disableNsgRule: entry('azure-disable-load-balancer-nsg-rule', {
    option: 'disableNsgRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.35.8, v1.36.2',
    badValue: 'accepted',
    remark: 'break-glass: the network security group is then yours',
  }),
  allowedServiceTags: entry('azure-allowed-service-tags', {
    option: 'allowedServiceTags',
    codec: list(
      text({ says: 'a service tag like AzureCloud', matches: /^[A-Za-z][A-Za-z0-9._-]*$/, example: 'AzureCloud' }),
    ),
    default: 'none',
    since: 'v1.11',
    source: AZURE_FILES.access,
    remark: 'not together with loadBalancerSourceRanges, which kube-proxy enforces without knowing tags',
  }),
  allowedIpRanges: entry('azure-allowed-ip-ranges', {
    option: 'allowedIpRanges',
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: list(maskedCidr()),
    default: 'none',
    since: 'v1.29',
    badValue: 'accepted',
    source: AZURE_FILES.access,
    remark: 'network security group only; an unreadable range shuts out everything that is not listed',
  }),
  denyAllExceptLoadBalancerSourceRanges: entry('azure-deny-all-except-load-balancer-source-ranges', {
    option: 'denyAllExceptLoadBalancerSourceRanges',
    codec: switchedOn(),
    default: 'false: the virtual network may always connect',
    since: 'v1.21',
    badValue: 'accepted',
    restrictsClients: true,
    source: AZURE_FILES.accessControl,
    remark: 'does nothing without ranges',
  }),
  loadBalancerSourceRanges: new Annotation<string[]>({
    key: SOURCE_RANGES_ANNOTATION,
    option: 'loadBalancerSourceRanges',
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: list(maskedCidr()),
    default: 'none',
    badValue: 'accepted',
    source: AZURE_FILES.access,
    confidence: Confidence.SOURCE,
    remark: 'here the same as azure-allowed-ip-ranges: network security group only',
  }),
  sharedSecurityRule: entry('azure-shared-securityrule', {
    codec: switchedOn(),
    default: 'false',
    deprecated: true,
    badValue: 'accepted',
    source: azureDocs('loadbalancer'),
    remark: 'leave it out: it is not read since v1.36.0',
  }),
};

/** How nodes are probed, where no port says otherwise. */
export const AZURE_PROBE = {
  healthProbeProtocol: entry('azure-load-balancer-health-probe-protocol', {
    option: 'healthProbeProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: probeProtocol(),
    default: 'tcp; http on healthCheckNodePort with traffic policy Local',
    since: 'v1.10',
    badValue: 'accepted',
    source: AZURE_FILES.healthProbe,
    remark: 'appProtocol of a port goes before it; ignored with traffic policy Local; https falls back to tcp on Basic',
  }),
  healthProbeRequestPath: entry('azure-load-balancer-health-probe-request-path', {
    option: 'healthProbeRequestPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: path(),
    default: '/',
    since: 'v1.20',
    source: AZURE_FILES.healthProbe,
    remark: 'http and https only; ignored with traffic policy Local',
  }),
  healthProbeInterval: entry('azure-load-balancer-health-probe-interval', {
    option: 'healthProbeInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: seconds(5),
    default: '5 seconds',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
    remark: 'times the number of probes it must stay below 120 seconds; counts with traffic policy Local too',
  }),
  healthProbeNumOfProbe: entry('azure-load-balancer-health-probe-num-of-probe', {
    option: 'healthProbeNumOfProbe',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: count(2),
    default: '2',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
    remark: 'failures that take a node out; counts with traffic policy Local too',
  }),
};

/** Rules and probes of single ports of the Service. */
export const AZURE_PORT = {
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
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: probeProtocol(),
    default: 'appProtocol of the port, else that of the Service',
    since: 'v1.24',
    badValue: 'accepted',
    source: AZURE_FILES.healthProbe,
  }),
  portHealthProbePort: entry('port_{port}_health-probe_port', {
    option: 'portHealthProbePort',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: probePort(),
    default: 'the node port',
    since: 'v1.24',
    source: AZURE_FILES.healthProbe,
    remark:
      'the number or name of a port of the Service means its node port; replaces the probe of traffic policy Local',
  }),
  portHealthProbeRequestPath: entry('port_{port}_health-probe_request-path', {
    option: 'portHealthProbeRequestPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: path(),
    default: 'that of the Service, else /',
    since: 'v1.20',
    source: AZURE_FILES.healthProbe,
  }),
  portHealthProbeInterval: entry('port_{port}_health-probe_interval', {
    option: 'portHealthProbeInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: seconds(5),
    default: 'that of the Service, else 5 seconds',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
  }),
  portHealthProbeNumOfProbe: entry('port_{port}_health-probe_num-of-probe', {
    option: 'portHealthProbeNumOfProbe',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: count(2),
    default: 'that of the Service, else 2',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
  }),
};

const PLS_RESOURCE_GROUP = entry('azure-pls-resource-group', {
  option: 'plsResourceGroup',
  codec: resourceGroup(),
  default: 'that of the cloud configuration',
  source: AZURE_FILES.privateLink,
});

/** `serviceHasAdditionalConfigs` of pkg/provider/azure_privatelinkservice.go, from v1.23.12 to v1.36.5. */
const AT_ONE_FRONTEND = {
  fate: 'the frontend has it for one of them, and the other one is refused where it sets anything of the private link service',
  remedy:
    'leave the annotations of the private link service out of one of the two: it is reached through that of the other',
};

/** The first version of a supported minor that made private link services; v1.24.0 has them too. */
const PLS_SINCE = 'v1.23.12';

/** The private link service before the frontend. */
export const AZURE_PLS = {
  plsCreate: entry('azure-pls-create', {
    option: 'plsCreate',
    codec: switchedOn(),
    default: 'false',
    badValue: 'accepted',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
    remark: 'internal, or with floating IP disabled; IPv4 only; at most 8 on one balancer',
  }),
  plsName: entry('azure-pls-name', {
    namesOne: {
      thing: 'private link service',
      fate: 'up to v1.36.5 the later one takes it from the other one, which loses it; those with pull request 10943 refuse the later one',
      needs: 'whether this version of cloud-provider-azure refuses the later one',
      atOneAddress: AT_ONE_FRONTEND,
      within: PLS_RESOURCE_GROUP.key(),
    },
    option: 'plsName',
    codec: trimmed(name('a private link service')),
    default: 'pls- and the name of the frontend',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
    remark: 'cannot be changed later',
  }),
  plsResourceGroup: PLS_RESOURCE_GROUP,
  plsIpConfigurationSubnet: entry('azure-pls-ip-configuration-subnet', {
    option: 'plsIpConfigurationSubnet',
    codec: name('a subnet'),
    default: 'the internal subnet of the Service, else that of the cloud configuration',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
    remark: 'in the virtual network of the nodes',
  }),
  plsIpConfigurationIpAddressCount: entry('azure-pls-ip-configuration-ip-address-count', {
    option: 'plsIpConfigurationIpAddressCount',
    codec: count(1, 8),
    default: '1',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
  }),
  plsIpConfigurationIpAddress: entry('azure-pls-ip-configuration-ip-address', {
    namesOne: { ...ADDRESS, atOneAddress: AT_ONE_FRONTEND },
    option: 'plsIpConfigurationIpAddress',
    codec: spaced(address(4)),
    default: 'assigned',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
    remark: 'the first one is the primary one; not more than the address count',
  }),
  plsFqdns: entry('azure-pls-fqdns', {
    option: 'plsFqdns',
    codec: spaced(
      text({
        says: 'a domain name',
        matches: /^[A-Za-z0-9_*]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/,
        example: 'a.example.com',
      }),
    ),
    default: 'none',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
  }),
  plsProxyProtocol: entry('azure-pls-proxy-protocol', {
    option: 'plsProxyProtocol',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: switchedOn(),
    default: 'false',
    badValue: 'accepted',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
    remark: 'the pods must speak it; takes the probe of traffic policy Local away, each port is probed instead',
  }),
  plsVisibility: entry('azure-pls-visibility', {
    option: 'plsVisibility',
    codec: subscriptions(true),
    default: 'whom role-based access control admits',
    badValue: 'accepted',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
  }),
  plsAutoApproval: entry('azure-pls-auto-approval', {
    option: 'plsAutoApproval',
    codec: subscriptions(false),
    default: 'none',
    since: PLS_SINCE,
    source: AZURE_FILES.privateLink,
    remark: 'only for subscriptions that see the service',
  }),
};

/** Entries that do nothing unless the service is made. */
export const AZURE_PRIVATE_LINK: readonly AnyAnnotation[] = Object.values(AZURE_PLS).filter(
  (entry: AnyAnnotation) => entry !== AZURE_PLS.plsCreate,
);

/** The annotations of the Azure cloud provider. */
export const AZURE = {
  ...AZURE_BALANCER,
  ...AZURE_ADDRESS,
  ...AZURE_ACCESS,
  ...AZURE_PROBE,
  ...AZURE_PORT,
  ...AZURE_PLS,
};

/** Entries of one port of the Service. */
export const AZURE_OF_PORTS: readonly AnyAnnotation[] = Object.values(AZURE_PORT);

const STANDARD_ONLY: readonly AnyAnnotation[] = [
  AZURE.loadBalancerIpv6,
  AZURE.disableTcpReset,
  AZURE.enableHighAvailabilityPorts,
  AZURE.pipNameIpv6,
  AZURE.pipPrefixId,
  AZURE.pipPrefixIdIpv6,
  AZURE.pipIpTags,
  AZURE.additionalPublicIps,
  ...Object.values(AZURE_PLS),
];

/** Entries that one kind of balancer ignores. */
export const AZURE_IGNORED: Readonly<Record<AzureSku, readonly AnyAnnotation[]>> = {
  standard: [AZURE.mode, AZURE.configurations],
  'multiple-standard': [AZURE.mode],
  basic: [AZURE.configurations, ...STANDARD_ONLY],
};

/** All of them. */
export const AZURE_CATALOGUE = new AnnotationCatalogue([AZURE_PREFIX, AZURE_PORT_PREFIX], Object.values(AZURE));
