import { type ServiceRow, service } from '../../support/cases';
import { certificateRows } from './aws.certificates';
import { key } from './aws.words';
import { ARN } from './aws-load-balancer-controller.words';

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
): ServiceRow => ({
  title,
  service: seen,
  ...found,
});
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
const certificate = { 'ssl-cert': ARN };
/** A Service whose listener forwards to another Service. */
const forwarding = (serviceName: string, servicePort: number) =>
  service(CLASS, {
    [key('nlb-target-type')]: 'ip',
    'service.beta.kubernetes.io/actions.TCP-443': JSON.stringify({
      type: 'forward',
      forwardConfig: { baseServiceWeight: 70, targetGroups: [{ serviceName, servicePort, weight: 30 }] },
    }),
  });

/** What the rules say of anybody's Service. */
export const services: ServiceRow[] = [
  row('a plain Service is quiet', of({ scheme: 'internal', 'nlb-target-type': 'instance' }), {}),
  row(
    'garbage is no matter of these rules',
    { kind: 'Service', spec: { ports: [null, 'x', { port: {} }] }, metadata: { annotations: { [key('subnets')]: 7 } } },
    {},
  ),
  ...certificateRows((annotations) => service(CLASS, annotations)),
  row('node labels are ignored by ip targets', of({ ...IP, ...pool }), warns('node-labels-with-ip-targets')),
  row(
    'instance targets without node ports cannot be reached',
    of({}, { allocateLoadBalancerNodePorts: false }),
    errs('instance-targets-need-node-ports'),
  ),
  row(
    'a fixed node port serves instance targets',
    of({}, { allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] }),
    {},
  ),
  row(
    'elastic IPs stand on a public balancer only',
    of({ subnets: 'a', 'eip-allocations': 'eipalloc-1' }),
    errs('addresses-and-scheme'),
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
    'as many addresses as subnets',
    of({ scheme: 'internet-facing', subnets: 'a, b', 'eip-allocations': 'eipalloc-1' }),
    errs('addresses-and-subnets'),
  ),
  row(
    'fixed addresses without subnets hold as long as the controller finds as many',
    of({ scheme: 'internet-facing', 'eip-allocations': 'eipalloc-1, eipalloc-2' }),
    warns('addresses-without-subnets'),
  ),
  row(
    'private addresses without subnets do so too',
    of({ scheme: 'internal', 'private-ipv4-addresses': '10.0.0.7' }),
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
  row('an IPv6 Service needs dualstack', of({}, { ipFamilies: ['IPv6'] }), errs('ipv6-without-dualstack')),
  row(
    'an IPv6 source range needs dualstack',
    of({}, { loadBalancerSourceRanges: ['10.0.0.0/8', '2001:db8::/32'] }),
    errs('ipv6-without-dualstack'),
  ),
  row(
    'two families make targets of IPv6 alone',
    of({ 'ip-address-type': 'dualstack' }, { ipFamilies: ['IPv4', 'IPv6'] }),
    warns('targets-of-ipv6'),
  ),
  row(
    'an elastic IP is for one subnet',
    of({ ...PUBLIC, 'eip-allocations': 'eipalloc-1,eipalloc-1' }),
    errs('one-address-a-subnet'),
  ),
  row('a subnet is of one zone', of({ subnets: 'subnet-1,subnet-1' }), errs('one-address-a-subnet')),
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
  row('31 ports with two ranges need more rules than it has', of({}, sources(31, 2)), warns('security-group-full')),
  row('the families of ranges are counted apart', of({ 'ip-address-type': 'dualstack' }, sources(30, 2, 2)), {}),
  row(
    'prefix lists count as well',
    of({ 'security-group-prefix-lists': 'pl-1' }, sources(31, 1)),
    warns('security-group-full'),
  ),
  row('own security groups are of their owner', of({ 'security-groups': 'sg-1' }, sources(31, 0)), {}),
  row(
    'an attribute of two letters more is misspelt',
    of({ attributes: 'load_balancing.crosszone.enabled=true' }),
    errs('misspelt-load-balancer-attribute'),
  ),
  row('dualstack serves IPv6', of({ 'ip-address-type': 'dualstack' }, { ipFamilies: ['IPv6'] }), {}),
  row(
    'source NAT prefixes need source NAT',
    of({ subnets: 'a', 'ip-address-type': 'dualstack', 'source-nat-ipv6-prefixes': 'auto_assigned' }),
    errs('source-nat-prefixes-without-source-nat'),
  ),
  row(
    'UDP on dualstack needs source NAT',
    of({ ...IP, 'ip-address-type': 'dualstack', 'healthcheck-port': '8080' }, udp()),
    errs('udp-on-dualstack'),
  ),
  row('SCTP has no listener', of({}, { ports: [{ port: 3868, protocol: 'SCTP' }] }), errs('sctp')),
  row(
    'TCP and UDP of one number are not merged by themselves',
    of({ 'healthcheck-port': '8080' }, { ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
    errs('tcp-and-udp-on-one-port'),
  ),
  row(
    'TCP and UDP of one number are merged on demand, and checked by TCP',
    of({ 'enable-tcp-udp-listener': 'true' }, { ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
    {},
  ),
  row(
    'fifty-one ports are too many',
    of({}, { ports: Array.from({ length: 51 }, (_, i) => ({ port: i + 1 })) }),
    errs('too-many-listeners'),
  ),
  row('fifty ports are not', of({}, { ports: Array.from({ length: 50 }, (_, i) => ({ port: i + 1 })) }), {}),
  row(
    'a TLS port is a port of the Service',
    of({ ...certificate, 'ssl-ports': '443, https' }),
    errs('ssl-port-unknown'),
  ),
  row(
    'TLS settings need a certificate',
    of({ 'ssl-ports': '443', 'backend-protocol': 'tcp', 'alpn-policy': 'None' }),
    warns('tls-without-certificate', 'tls-without-certificate'),
  ),
  row(
    'QUIC needs ip targets',
    of({ 'quic-enabled-ports': '53', 'healthcheck-port': '8080' }, udp()),
    errs('quic-with-instance-targets'),
  ),
  row('QUIC needs UDP', of({ ...IP, 'quic-enabled-ports': '443' }), errs('quic-needs-udp')),
  row('a health check port is known', of({ 'healthcheck-port': 'health' }), errs('health-check-port-unknown')),
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
    'UDP always keeps the address of the client',
    of({ ...IP, 'healthcheck-port': '8080', 'target-group-attributes': 'preserve_client_ip.enabled=false' }, udp()),
    errs('client-address-of-udp'),
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
    'TLS has no stickiness',
    of({ ...certificate, 'target-group-attributes': 'stickiness.enabled=true' }),
    errs('stickiness-with-tls'),
  ),
  row(
    'own security groups are void on a balancer without any',
    of({ 'disable-nlb-sg': 'true', 'security-groups': 'sg-1' }),
    errs('groups-without-groups'),
  ),
  row(
    'own security groups make source ranges void',
    of({ 'security-groups': 'sg-1' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    errs('source-ranges-with-own-groups'),
  ),
  row(
    'access logs need a bucket',
    of({ attributes: 'access_logs.s3.enabled=true' }),
    errs('access-logs-without-bucket'),
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
  row('policy Local means nothing to ip targets', of(IP, local), warns('local-without-effect')),
  row(
    'policy Local is defeated by a health check of its own',
    of({ ...pool, 'healthcheck-port': '8080' }, local),
    warns('local-health-check-defeated'),
  ),
  row(
    'policy Local is defeated by a TCP health check',
    of({ ...pool, 'healthcheck-protocol': 'TCP' }, local),
    warns('local-health-check-defeated'),
  ),
  row(
    'kube-proxy does not understand proxy protocol',
    of({ ...pool, 'proxy-protocol': '*' }, local),
    warns('proxy-protocol-with-local'),
  ),
  row('UDP is checked by TCP', of({}, udp()), warns('udp-health-check')),
  row('UDP with policy Local is checked at kube-proxy', of(pool, udp(local)), {}),
  row(
    'the balancer does not know session affinity',
    of({}, { sessionAffinity: 'ClientIP' }),
    warns('session-affinity-without-effect'),
  ),
  row('loadBalancerIP is not read', of({}, { loadBalancerIP: '10.0.0.7' }), warns('load-balancer-ip-ignored')),
  row(
    'deletion protection blocks the Service',
    of({ attributes: 'deletion_protection.enabled=1' }),
    warns('deletion-protection'),
  ),
  row(
    'an attribute of target groups is misspelt',
    of({ 'target-group-attributes': 'preserve_client_ip.enable=true' }),
    errs('misspelt-target-group-attribute'),
  ),
  row(
    'an attribute of target groups has no option',
    of({ 'target-group-attributes': 'load_balancing.cross_zone.enabled=true' }),
    {},
  ),
  row('a class makes the type void', of({ type: 'nlb' }), warns('class-and-type')),
  row('a type without a class claims', service({}, { [key('type')]: 'nlb-ip' }), {}),
  row(
    'a path needs HTTP',
    of({ 'healthcheck-path': '/ready', 'healthcheck-success-codes': '200' }),
    warns('health-check-path-with-tcp', 'health-check-path-with-tcp'),
  ),
  row('a path with policy Local is one of HTTP', of({ ...pool, 'healthcheck-path': '/ready' }, local), {}),
  row(
    'proxy protocol stands once',
    of({ 'proxy-protocol': '*', 'proxy-protocol-per-target-group': '443' }),
    warns('proxy-protocol-twice'),
  ),
  row(
    'settings are for ports that exist',
    of({ 'proxy-protocol-per-target-group': '443,8443', 'target-group-attributes.80': 'stickiness.enabled=true' }),
    warns('setting-for-a-missing-port', 'setting-for-a-missing-port'),
  ),
  row(
    'settings of a listener name its protocol',
    of({ ...certificate, 'listener-attributes.TCP-443': 'tcp.idle_timeout.seconds=60' }),
    warns('setting-for-a-missing-port'),
  ),
  row(
    'source ranges stand once',
    service(
      { ...CLASS, loadBalancerSourceRanges: ['10.0.0.0/8'] },
      { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.1.0.0/16' },
    ),
    warns('source-ranges-twice'),
  ),
  row(
    'without a security group source ranges need the address of the client',
    of({ ...IP, 'disable-nlb-sg': 'true' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    warns('source-ranges-without-group'),
  ),
  row('instance targets see it', of({ 'disable-nlb-sg': 'true' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }), {}),
  row(
    'a conversion of families loses the address of the client',
    of({ ...IP, 'ip-address-type': 'dualstack', 'target-group-attributes': 'preserve_client_ip.enabled=true' }),
    warns('client-address-of-other-family'),
  ),
  row(
    'a Service of another type that is claimed has a balancer too',
    service({ type: 'ClusterIP' }, { [key('type')]: 'external', [key('nlb-target-type')]: 'ip' }),
    warns('aws-other-type'),
  ),
  row(
    'a Service of another type without node ports has no instance targets, and no balancer',
    service({ type: 'ClusterIP' }, { [key('type')]: 'external', [key('nlb-target-type')]: 'instance' }),
    errs('instance-targets-need-node-ports'),
  ),
  row('a Service to which an action forwards has the port', forwarding('echo', 81), errs('action-target')),
  {
    title: 'a Service to which an action forwards is there',
    service: forwarding('green', 443),
    beside: [],
    warnings: ['action-target-elsewhere'],
  },
  row(
    'an unknown attribute is told',
    of({ attributes: 'brand_new.thing=true' }),
    warns('unknown-load-balancer-attribute'),
  ),
];
