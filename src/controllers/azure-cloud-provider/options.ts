import type { Duration } from 'cdk8s';
import type { HealthCheckProtocol } from '../../contract/health-check';

/**
 * Options that every Azure Load Balancer understands, Basic and Standard.
 *
 * Options named `port…` are maps from the number of a port of the Service to a value.
 *
 * @see https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/#loadbalancer-annotations
 */
export interface AzureCloudProviderOptions {
  /**
   * Whether the balancer is internal, for requests that name no scheme. Changing it later moves the Service to another
   * balancer with a new address.
   * @default - as the request sets it; else true
   */
  readonly loadBalancerInternal?: boolean;
  /**
   * The name of the subnet that gives an internal balancer its address. The identity of the cluster must be allowed to
   * read and to join it.
   * @default - the subnet of the cloud configuration
   */
  readonly internalSubnet?: string;
  /**
   * A fixed IPv4 address. A public one must exist already, a private one must lie in the subnet. Services of one address
   * share its frontend.
   * @default - assigned
   */
  readonly loadBalancerIpv4?: string;
  /**
   * The resource group of the public IP, which despite the annotation's name is not that of the balancer.
   * @default - the node resource group
   */
  readonly loadBalancerResourceGroup?: string;
  /**
   * How long an idle TCP connection is kept: whole minutes, 4 to 100.
   * @default Duration.minutes(4)
   */
  readonly tcpIdleTimeout?: Duration;
  /**
   * Whether the rules target node ports instead of the address of the balancer. Every port then needs a node port.
   * @default false
   */
  readonly disableFloatingIp?: boolean;
  /**
   * Whether the controller keeps its hands off the network security group: a break-glass switch, after which you must
   * admit the traffic yourself. Needs v1.35.8 or v1.36.2.
   * @default false
   */
  readonly disableNsgRule?: boolean;
  /**
   * The protocol of the health probe. `appProtocol` of a port goes before it, and traffic policy Local ignores it.
   * Basic has no HTTPS probes.
   * @default HealthCheckProtocol.TCP
   */
  readonly healthProbeProtocol?: HealthCheckProtocol;
  /**
   * The path of an HTTP or HTTPS probe. Ignored by traffic policy Local.
   * @default '/'
   */
  readonly healthProbeRequestPath?: string;
  /**
   * The time between two probes: whole seconds, at least 5. Times the number of probes it must stay below 120 seconds.
   * @default Duration.seconds(5)
   */
  readonly healthProbeInterval?: Duration;
  /**
   * How many failures take a node out, at least 2.
   * @default 2
   */
  readonly healthProbeNumOfProbe?: number;
  /**
   * The DNS label of the public IP: `<label>.<region>.cloudapp.azure.com`. Unique in the region. The empty text removes
   * the label.
   * @default - none
   */
  readonly dnsLabelName?: string;
  /**
   * The name of a public IP that exists already. Services of one name share its frontend.
   * @default - a public IP is made
   */
  readonly pipName?: string;
  /**
   * Tags of the public IP, if the controller made it. A tag that is left out later stays on the address.
   * @default - none
   */
  readonly pipTags?: { [key: string]: string };
  /**
   * Azure service tags that may connect. Not together with source ranges, by which kube-proxy drops the rest.
   * @default - none
   */
  readonly allowedServiceTags?: string[];
  /**
   * Ranges that may connect, as CIDRs without host bits; enforced by the network security group only. Not together
   * with the source ranges of a request.
   * @default - none
   */
  readonly allowedIpRanges?: string[];
  /**
   * Whether everything outside the ranges is denied, the virtual network included. Does nothing without ranges.
   * @default false
   */
  readonly denyAllExceptLoadBalancerSourceRanges?: boolean;
  /**
   * The older annotation of Kubernetes for source ranges, which Azure takes as `allowedIpRanges`. Prefer the source
   * ranges of a request.
   * @default - none
   */
  readonly loadBalancerSourceRanges?: string[];
  /**
   * Ports that get neither rule nor probe.
   * @default - none
   */
  readonly portNoLbRule?: { [port: string]: boolean };
  /**
   * Ports that get a rule without a probe: traffic then goes to every node, whether or not it answers.
   * @default - none
   */
  readonly portNoProbeRule?: { [port: string]: boolean };
  /**
   * The protocol of a port's probe; goes before its `appProtocol`.
   * @default - `appProtocol` of the port, else `healthProbeProtocol`
   */
  readonly portHealthProbeProtocol?: { [port: string]: HealthCheckProtocol };
  /**
   * The port of a port's probe: a number, or the name of a port of the Service. The number of a port of the Service
   * means its node port. Replaces the probe by which traffic policy Local leaves out nodes without a pod.
   * @default - the node port
   */
  readonly portHealthProbePort?: { [port: string]: string };
  /**
   * The path of a port's probe.
   * @default - `healthProbeRequestPath`
   */
  readonly portHealthProbeRequestPath?: { [port: string]: string };
  /**
   * The time between two probes of a port: whole seconds, at least 5.
   * @default - `healthProbeInterval`
   */
  readonly portHealthProbeInterval?: { [port: string]: Duration };
  /**
   * How many failures of a port's probe take a node out, at least 2.
   * @default - `healthProbeNumOfProbe`
   */
  readonly portHealthProbeNumOfProbe?: { [port: string]: number };
}

/**
 * Options of a cluster with one Standard balancer for public and one for internal Services.
 */
export interface AzureStandardOptions extends AzureCloudProviderOptions {
  /**
   * A fixed IPv6 address; as `loadBalancerIpv4`.
   * @default - assigned
   */
  readonly loadBalancerIpv6?: string;
  /**
   * Whether idle connections end without a TCP reset.
   * @default false
   */
  readonly disableTcpReset?: boolean;
  /**
   * One rule for all ports and protocols instead of one for each port of the Service. Internal balancers only, and one
   * Service per frontend.
   * @default false
   */
  readonly enableHighAvailabilityPorts?: boolean;
  /**
   * The name of a public IPv6 address that exists already.
   * @default - a public IP is made
   */
  readonly pipNameIpv6?: string;
  /**
   * The resource ID of the prefix from which the public IP is taken.
   * @default - none
   */
  readonly pipPrefixId?: string;
  /**
   * The resource ID of the prefix from which the public IPv6 address is taken.
   * @default - none
   */
  readonly pipPrefixIdIpv6?: string;
  /**
   * Azure IP tags of the public IP, such as `RoutingPreference: Internet`. Changing them later may replace the address
   * by a new one.
   * @default - none
   */
  readonly pipIpTags?: { [key: string]: string };
  /**
   * Further public addresses, such as that of a cross-region balancer. Nothing makes them; they are published in the
   * status so that kube-proxy answers to them.
   * @default - none
   */
  readonly additionalPublicIps?: string[];
  /**
   * Whether a private link service is put before the frontend. Needs an internal balancer or `disableFloatingIp`, and
   * IPv4. It lives as long as the frontend.
   * @default false
   */
  readonly plsCreate?: boolean;
  /**
   * The name of the private link service; cannot be changed later.
   * @default - `pls-` and the name of the frontend
   */
  readonly plsName?: string;
  /**
   * The resource group of the private link service.
   * @default - that of the cloud configuration
   */
  readonly plsResourceGroup?: string;
  /**
   * The subnet of the private link service, in the virtual network of the nodes.
   * @default - `internalSubnet`, else that of the cloud configuration
   */
  readonly plsIpConfigurationSubnet?: string;
  /**
   * How many addresses the private link service has, 1 to 8.
   * @default 1
   */
  readonly plsIpConfigurationIpAddressCount?: number;
  /**
   * Fixed IPv4 addresses of the private link service, the primary one first; not more than the address count.
   * @default - assigned
   */
  readonly plsIpConfigurationIpAddress?: string[];
  /**
   * Domain names of the private link service.
   * @default - none
   */
  readonly plsFqdns?: string[];
  /**
   * Whether the private link service speaks the PROXY protocol, version 2. The pods must understand it. The probe of
   * traffic policy Local is then replaced by one of each port.
   * @default - as the request sets it; else false
   */
  readonly plsProxyProtocol?: boolean;
  /**
   * The subscriptions that see the private link service, or `*` for all.
   * @default - whom role-based access control admits
   */
  readonly plsVisibility?: string[];
  /**
   * The subscriptions whose connections are approved by themselves.
   * @default - none
   */
  readonly plsAutoApproval?: string[];
}

/**
 * Options of a cluster with several Standard balancers, each for nodes of its own (a preview of AKS).
 */
export interface AzureMultipleStandardOptions extends AzureStandardOptions {
  /**
   * The names of the load balancer configurations that may take the Service (`az aks loadbalancer list`). Not together
   * with a fixed address, which decides the balancer by itself. Changing it later moves the Service.
   * @default - every configuration may
   */
  readonly configurations?: string[];
}

/**
 * Options of a cluster with Basic balancers, each for one VM set.
 */
export interface AzureBasicOptions extends AzureCloudProviderOptions {
  /**
   * The VM set whose balancer serves: the name of an availability set (`pool-1-availabilitySet-27255451`) or of a scale
   * set, as Azure shows it. It is not the name of the node pool, and cannot be derived from it. Changing it later makes
   * a new frontend.
   * @default - the primary VM set of the cluster
   */
  readonly virtualMachineSet?: string;
  /**
   * Whether the controller chooses the VM set whose balancer has the fewest rules. It does so for new Services only.
   * @default false
   */
  readonly automaticVirtualMachineSet?: boolean;
}
