import { Duration, Yaml } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AwsLoadBalancerType,
  AzureCloudProvider,
  Cilium,
  ClientAddress,
  DigitalOcean,
  EksAutoMode,
  Gke,
  HealthCheckProtocol,
  HetznerCloud,
  type ILoadBalancerController,
  IpFamily,
  K3sServiceLb,
  KubeVip,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  LoadBalancerScheme,
  MetalLb,
  NlbTargetType,
  NodePool,
  OpenStackOctavia,
  OracleCloud,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { newChart, stderrOf, synth } from './apps';

type Wishes = Omit<LoadBalancedServiceProps, 'controller' | 'ports'> & Partial<Pick<LoadBalancedServiceProps, 'ports'>>;

function service(controller: ILoadBalancerController, wishes: Wishes = {}): () => string {
  return () => {
    const chart = newChart();
    const base = { name: 'echo', selector: { app: 'echo' }, ports: [{ name: 'echo', port: 443, targetPort: 8443 }] };
    new LoadBalancedService(chart, 'Echo', { ...base, controller, ...wishes });
    let yaml = '';
    stderrOf(() => {
      yaml = Yaml.stringify(...synth(chart));
    });
    return yaml;
  };
}

const internetFacing = { scheme: LoadBalancerScheme.INTERNET_FACING };
const dualStack = { ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] };
const dns = {
  ports: [
    { name: 'dns-udp', port: 53, protocol: PortProtocol.UDP },
    { name: 'dns-tcp', port: 53, protocol: PortProtocol.TCP },
  ],
};
const ip = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const instance = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });

/** One manifest a row: host, controller, case. */
export const goldens: Record<string, () => string> = {
  'aws-load-balancer-controller-ip-internal': service(ip),
  'aws-load-balancer-controller-ip-public-dual-stack': service(ip, { ...internetFacing, ...dualStack }),
  'aws-load-balancer-controller-instance-local': service(instance, { trafficPolicy: TrafficPolicy.LOCAL }),
  'aws-load-balancer-controller-by-annotation': service(
    AwsLoadBalancerController.nlb({ type: AwsLoadBalancerType.EXTERNAL, targetType: NlbTargetType.IP }),
  ),
  'aws-load-balancer-controller-restricted': service(ip, {
    sourceRanges: ['10.0.0.0/8'],
    proxyProtocol: true,
    healthCheck: { protocol: HealthCheckProtocol.HTTP, path: '/ready', interval: Duration.seconds(15) },
    dnsName: 'echo.example.com',
  }),
  'aws-load-balancer-controller-elastic-ips': service(
    AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP, subnets: ['subnet-0a', 'subnet-0b'] }),
    { ...internetFacing, staticAddresses: ['eipalloc-0a', 'eipalloc-0b'] },
  ),
  'aws-cloud-provider-nlb': service(AwsCloudProvider.nlb(), { trafficPolicy: TrafficPolicy.LOCAL }),
  'aws-cloud-provider-classic-public': service(AwsCloudProvider.classic(), internetFacing),
  'eks-auto-mode': service(EksAutoMode.nlb(), internetFacing),
  'azure-standard-internal': service(AzureCloudProvider.standard()),
  'azure-standard-public-preserve': service(AzureCloudProvider.standard(), {
    ...internetFacing,
    clientAddress: ClientAddress.PRESERVE,
    staticAddresses: ['203.0.113.7'],
  }),
  'azure-standard-dns': service(AzureCloudProvider.standard(), dns),
  'gke-internal': service(Gke.passthrough()),
  'gke-external-preserve': service(Gke.passthrough(), { ...internetFacing, clientAddress: ClientAddress.PRESERVE }),
  'hetzner-internal': service(HetznerCloud.loadBalancer({ location: 'fsn1' })),
  'hetzner-public-preserve': service(HetznerCloud.loadBalancer({ location: 'fsn1' }), {
    ...internetFacing,
    clientAddress: ClientAddress.PRESERVE,
  }),
  'digitalocean-network-internal': service(DigitalOcean.regionalNetwork({ sizeUnit: 2 }), dns),
  'digitalocean-regional-public-preserve': service(DigitalOcean.regional(), {
    ...internetFacing,
    clientAddress: ClientAddress.PRESERVE,
  }),
  'openstack-internal': service(OpenStackOctavia.loadBalancer(), { sourceRanges: ['10.0.0.0/8'] }),
  'openstack-public-preserve': service(OpenStackOctavia.loadBalancer({ keepFloatingip: true }), {
    ...internetFacing,
    clientAddress: ClientAddress.PRESERVE,
    staticAddresses: ['192.0.2.53'],
  }),
  'oracle-load-balancer-internal': service(OracleCloud.loadBalancer({ ociLoadBalancerShape: 'flexible' }), {
    healthCheck: { interval: Duration.seconds(20) },
  }),
  'oracle-network-load-balancer-public-preserve': service(OracleCloud.networkLoadBalancer(), {
    ...internetFacing,
    ...dns,
    clientAddress: ClientAddress.PRESERVE,
  }),
  'cilium-layer2-fixed-address': service(Cilium.layer2().shared('edge'), { staticAddresses: ['192.0.2.53'] }),
  'cilium-layer2-pool': service(Cilium.layer2(), { backendNodes: NodePool.labeled({ rack: '1' }) }),
  'cilium-layer2-addresses': service(
    Cilium.layer2({
      serviceLabels: { pool: 'edge', 'io.kubernetes.service.name': 'echo' },
      addresses: ['192.0.2.0/28', '192.0.2.20-192.0.2.30'],
      interfaces: ['^eth1$'],
    }),
  ),
  'cilium-bgp-addresses': service(
    Cilium.bgp({ addresses: ['192.0.2.53'], advertisementLabels: { advertise: 'bgp' } }),
    dns,
  ),
  'cilium-bgp-old-version': service(
    Cilium.bgp({
      addresses: ['192.0.2.64/28'],
      serviceLabels: { pool: 'old' },
      advertisementLabels: { advertise: 'bgp' },
      version: '1.17',
    }),
  ),
  'cilium-bgp-preserve': service(Cilium.bgp(), { clientAddress: ClientAddress.PRESERVE }),
  'cilium-node-ipam': service(Cilium.nodeIpam(), dns),
  'k3s-service-lb': service(K3sServiceLb.serviceLb(), dns),
  'kube-vip-fixed-address': service(KubeVip.loadBalancer(), { staticAddresses: ['192.0.2.53'] }),
  'metallb-layer2-fixed-address': service(MetalLb.layer2({ addressPool: 'edge' }), { staticAddresses: ['192.0.2.53'] }),
  'metallb-bgp-dns': service(MetalLb.bgp({ addressPool: 'edge' }), dns),
};
