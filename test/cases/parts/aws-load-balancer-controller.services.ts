import { type ServiceRow, service } from '../../support/cases';
import { certificateRows } from './aws.certificates';
import { key } from './aws.words';

const CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };
/** A Service of this controller's class: annotations without their prefix. */
const of = (annotations: Record<string, string>, spec: Record<string, unknown> = {}) =>
  service(
    { ...CLASS, ...spec },
    Object.fromEntries(Object.entries(annotations).map(([name, text]) => [key(name), text])),
  );
const row = (
  title: string,
  seen: ServiceRow['service'],
  found: { errors?: string[]; warnings?: string[] },
): ServiceRow => ({ title, service: seen, ...found });
const errs = (...errors: string[]) => ({ errors });
const warns = (...warnings: string[]) => ({ warnings });
const IP = { 'nlb-target-type': 'ip' };
const udp = (spec: Record<string, unknown> = {}) => ({
  ports: [{ port: 53, protocol: 'UDP', nodePort: 30053 }],
  ...spec,
});
/** Ports, and source ranges of IPv4 and of IPv6. */
const sources = (ports: number, ipv4: number, ipv6 = 0) => ({
  ports: Array.from({ length: ports }, (_, i) => ({ name: `p${i}`, port: 1000 + i })),
  loadBalancerSourceRanges: [
    ...Array.from({ length: ipv4 }, (_, i) => `10.${i}.0.0/16`),
    ...Array.from({ length: ipv6 }, (_, i) => `fd0${i}::/16`),
  ],
});
const PUBLIC = { scheme: 'internet-facing', subnets: 'subnet-1,subnet-2' };
const TWO = { subnets: 'subnet-1,subnet-2' };
const local = { externalTrafficPolicy: 'Local' };
const pool = { 'target-node-labels': 'pool=edge' };
/** What the rules say of anybody's Service. */
export const services: ServiceRow[] = [
  row('a plain Service is quiet', of({ scheme: 'internal', 'nlb-target-type': 'instance' }), {}),
  row(
    'garbage is no matter of these rules',
    { kind: 'Service', spec: { ports: [null, 'x', { port: {} }] }, metadata: { annotations: { [key('subnets')]: 7 } } },
    {},
  ),
  ...certificateRows((annotations) => service(CLASS, annotations)),
  row(
    'a fixed node port serves instance targets',
    of({}, { allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] }),
    {},
  ),
  row(
    'elastic IPs may stand on a balancer that is public by the old spelling',
    of({ internal: 'false', subnets: 'a', 'eip-allocations': 'eipalloc-1' }),
    {},
  ),
  row(
    'private addresses cannot be on an internal balancer only',
    of({ scheme: 'internet-facing', subnets: 'a', 'private-ipv4-addresses': '10.0.0.7' }),
    errs('addresses-and-scheme'),
  ),
  row(
    'fixed addresses without subnets hold as long as the controller finds as many',
    of({ scheme: 'internet-facing', 'eip-allocations': 'eipalloc-1, eipalloc-2' }),
    warns('addresses-without-subnets'),
  ),
  row(
    'fixed addresses with their subnets are quiet',
    of({ scheme: 'internet-facing', subnets: 'a, b', 'eip-allocations': 'eipalloc-1, eipalloc-2' }),
    {},
  ),
  row(
    'fixed IPv6 addresses need dualstack',
    of({ subnets: 'a', 'ipv6-addresses': '2001:db8::7' }),
    errs('ipv6-without-dualstack'),
  ),
  row(
    'an IPv6 source range needs dualstack',
    of({}, { loadBalancerSourceRanges: ['10.0.0.0/8', '2001:db8::/32'] }),
    errs('ipv6-without-dualstack'),
  ),
  row(
    'an elastic IP is for one subnet',
    of({ ...PUBLIC, 'eip-allocations': 'eipalloc-1,eipalloc-1' }),
    errs('one-address-a-subnet'),
  ),
  row(
    'the smallest subnet has 16 addresses',
    of({ ...TWO, 'private-ipv4-addresses': '10.0.0.17,10.0.0.31' }),
    errs('one-address-a-subnet'),
  ),
  row('neighbours may be of two subnets', of({ ...TWO, 'private-ipv4-addresses': '10.0.0.15,10.0.0.16' }), {}),
  row(
    'a subnet of IPv6 has one range of length 64',
    of({ ...TWO, 'ip-address-type': 'dualstack', 'ipv6-addresses': 'fd00:1::1,fd00:1:0:0::2' }),
    errs('one-address-a-subnet'),
  ),
  row(
    'and two subnets have two',
    of({ ...TWO, 'ip-address-type': 'dualstack', 'ipv6-addresses': 'fd00:1::1,fd00:2::1' }),
    {},
  ),
  row('60 rules of a security group are enough', of({}, sources(30, 2)), {}),
  row('the families of ranges are counted apart', of({ 'ip-address-type': 'dualstack' }, sources(30, 2, 2)), {}),
  row(
    'prefix lists count as well',
    of({ 'security-group-prefix-lists': 'pl-1' }, sources(31, 1)),
    warns('security-group-full'),
  ),
  row('own security groups are of their owner', of({ 'security-groups': 'sg-1' }, sources(31, 0)), {}),
  row('dualstack serves IPv6', of({ 'ip-address-type': 'dualstack' }, { ipFamilies: ['IPv6'] }), {}),
  row(
    'TCP and UDP of one number are merged on demand, and checked by TCP',
    of({ 'enable-tcp-udp-listener': 'true' }, { ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
    {},
  ),
  row('fifty ports are not', of({}, { ports: Array.from({ length: 50 }, (_, i) => ({ port: i + 1 })) }), {}),
  row(
    'TLS settings need a certificate',
    of({ 'ssl-ports': '443', 'backend-protocol': 'tcp', 'alpn-policy': 'None' }),
    warns('tls-without-certificate', 'tls-without-certificate'),
  ),
  row(
    'ip targets do not resolve the name of a target port',
    of({ ...IP, 'healthcheck-port': 'web' }, { ports: [{ name: 'web', port: 443, targetPort: 'https' }] }),
    errs('health-check-port-unknown'),
  ),
  row(
    'the name of a port with a number may be checked',
    of({ ...IP, 'healthcheck-port': 'web' }, { ports: [{ name: 'web', port: 443, targetPort: 8443 }] }),
    {},
  ),
  row(
    'the attributes of a port win',
    of(
      {
        'healthcheck-port': '8080',
        'target-group-attributes': 'preserve_client_ip.enabled=false',
        'target-group-attributes.53': 'preserve_client_ip.enabled=true',
      },
      udp(),
    ),
    {},
  ),
  row(
    'the old spellings of access logs serve',
    of({ 'access-log-enabled': 'true', 'access-log-s3-bucket-name': 'logs' }),
    {},
  ),
  row(
    'old spellings win over the attributes beside them',
    of({
      'cross-zone-load-balancing-enabled': 'true',
      'access-log-enabled': 'true',
      'access-log-s3-bucket-name': 'logs',
      attributes: 'load_balancing.cross_zone.enabled=false,access_logs.s3.bucket=other',
    }),
    warns('old-beside-new', 'old-beside-new'),
  ),
  row('policy Local with a pool is quiet', of(pool, local), {}),
  row(
    'policy Local is defeated by a health check of its own',
    of({ ...pool, 'healthcheck-port': '8080' }, local),
    warns('local-health-check-defeated'),
  ),
  row('UDP with policy Local is checked at kube-proxy', of(pool, udp(local)), {}),
  row(
    'an attribute of target groups has no option',
    of({ 'target-group-attributes': 'load_balancing.cross_zone.enabled=true' }),
    {},
  ),
  row('a type without a class claims', service({}, { [key('type')]: 'nlb-ip' }), {}),
  row(
    'a path needs HTTP',
    of({ 'healthcheck-path': '/ready', 'healthcheck-success-codes': '200' }),
    warns('health-check-path-with-tcp', 'health-check-path-with-tcp'),
  ),
  row('a path with policy Local is one of HTTP', of({ ...pool, 'healthcheck-path': '/ready' }, local), {}),
  row(
    'settings are for ports that exist',
    of({ 'proxy-protocol-per-target-group': '443,8443', 'target-group-attributes.80': 'stickiness.enabled=true' }),
    warns('setting-for-a-missing-port', 'setting-for-a-missing-port'),
  ),
  row('instance targets see it', of({ 'disable-nlb-sg': 'true' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }), {}),
  row(
    'a Service of another type without node ports has no instance targets, and no balancer',
    service({ type: 'ClusterIP' }, { [key('type')]: 'external', [key('nlb-target-type')]: 'instance' }),
    errs('instance-targets-need-node-ports'),
  ),
];
