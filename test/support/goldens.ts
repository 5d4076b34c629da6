import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, Duration, Yaml } from 'cdk8s';
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

function service(controller: ILoadBalancerController, wishes: Wishes = {}): () => Chart {
  return () => {
    const chart = newChart();
    const base = { name: 'echo', selector: { app: 'echo' }, ports: [{ name: 'echo', port: 443, targetPort: 8443 }] };
    new LoadBalancedService(chart, 'Echo', { ...base, controller, ...wishes });
    return chart;
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

/** One chart a row: host, controller, case. */
export const goldenCharts: Record<string, () => Chart> = {
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

export const goldens: Record<string, () => string> = Object.fromEntries(
  Object.entries(goldenCharts).map(([name, chartOf]) => [name, () => writtenBy(chartOf).yaml]),
);

const UPDATE = process.env.UPDATE_GOLDENS === '1';

/** What a chart writes, and what was said on standard error meanwhile. */
export function writtenBy(chartOf: () => Chart): { yaml: string; said: string } {
  let yaml = '';
  const said = stderrOf(() => {
    yaml = Yaml.stringify(...synth(chartOf()));
  });
  return { yaml, said };
}

/**
 * Compares with readable YAML that was checked by hand: `<name>.yaml` in a folder, or `<name>.patch`, the difference from another
 * golden. After a wanted change: `UPDATE_GOLDENS=1 npx jest <the test>`, and read the diff.
 */
export function expectGolden(folder: string, name: string, yaml: string): void {
  if (UPDATE) writeGolden(folder, name, yaml);
  expect(goldenNames(folder)).toContain(name);
  expect(yaml).toBe(goldenText(folder, name));
}

function writeGolden(folder: string, name: string, yaml: string): void {
  const base = baseOf(folder, name);
  if (base === undefined) {
    writeFileSync(join(folder, `${name}.yaml`), yaml);
  } else {
    const labels = [base, name].flatMap((label) => ['--label', `${label}.yaml`]);
    const { stdout } = spawnSync('diff', ['-U1', ...labels, join(folder, `${base}.yaml`), '-'], { input: yaml });
    writeFileSync(join(folder, `${name}.patch`), stdout);
  }
}

/** Fails for a golden that no test compares any more, with the names of all those that are compared. */
export function expectNoStrayGoldens(folder: string, names: readonly string[]): void {
  expect(goldenNames(folder)).toEqual([...names].sort());
}

/** Names of the goldens of a folder: `NAME.yaml`, or `NAME.patch` with its difference from another golden. */
export function goldenNames(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => /\.(yaml|patch)$/.test(file));
  return files.map((file) => file.replace(/\.\w+$/, '')).sort();
}

/** The golden that another one is the difference from; undefined if it is whole. */
export function baseOf(folder: string, name: string): string | undefined {
  const file = join(folder, `${name}.patch`);
  return existsSync(file) ? /^--- (\S+)\.yaml$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
}

/** The whole YAML of a golden. */
export function goldenText(folder: string, name: string): string {
  const base = baseOf(folder, name);
  if (base === undefined) return readFileSync(join(folder, `${name}.yaml`), 'utf8');
  return patched(goldenText(folder, base), readFileSync(join(folder, `${name}.patch`), 'utf8'));
}

/** A text with a unified diff of its lines applied. */
export function patched(text: string, patch: string): string {
  const lines = text.split('\n');
  const hunks = patch.split(/^@@ -(\d+)(?:,(\d+))? \S+ @@.*\n/m).slice(1);
  for (let i = hunks.length - 3; i >= 0; i -= 3) {
    const [from, count, body] = [Number(hunks[i]), Number(hunks[i + 1] ?? 1), hunks[i + 2].split('\n').slice(0, -1)];
    const side = (sign: string) =>
      body.filter((line) => ' '.concat(sign).includes(line[0])).map((line) => line.slice(1));
    // a hunk that only adds names the line before it
    const start = count === 0 ? from : from - 1;
    const old = lines.slice(start, start + count);
    if (old.join('\n') !== side('-').join('\n')) {
      throw new Error(`line ${from} is not what the patch takes away:\n${old.join('\n')}`);
    }
    lines.splice(start, count, ...side('+'));
  }
  return lines.join('\n');
}
