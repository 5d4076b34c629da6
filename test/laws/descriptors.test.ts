import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descriptorOf } from '../../scripts/descriptors/descriptor';
import { filesOf } from '../../scripts/descriptors/files';

const FOLDER = 'hetzner-cloud';
const TEXT = readFileSync(join(__dirname, '..', '..', 'src', 'controllers', FOLDER, 'descriptor.yaml'), 'utf8');

test.each([
  ['an unknown field', 'readFrom:', 'readform:', /additional properties.*readform/],
  ['an unknown syntax', 'type: ipv4', 'type: ipv5', /'ipv5' is not a known name/],
  ['an unknown enumeration', 'anyCase: HetznerAlgorithm', 'anyCase: HetznerAlgorithms', /'HetznerAlgorithms'/],
  ['an unknown type of an option', 'type: HetznerProtocol', 'type: HetznerProtocols', /'HetznerProtocols'/],
  ['an unknown request', 'request: scheme', 'request: schema', /'schema' is not a LoadBalancerWish/],
  ['an unknown predicate', 'change: isTcpPort', 'change: isUdpPort', /'isUdpPort' is not a known name/],
  ['an unknown condition', 'if: removed', 'if: gone', /allowed values/],
  ['an unknown outcome', 'stays: the address keeps', 'remains: the address keeps', /additional properties/],
  ['an unknown change', 'change: rdns', 'change: dns', /no change is called 'dns'/],
  ['an unknown source', 'source: operations', 'source: operation', /'operation' is neither a file/],
  [
    'an unknown field of a Service',
    'spec.loadBalancerIP:',
    'spec.loadBalancerIp:',
    /'spec.loadBalancerIp' is not a field/,
  ],
  ['two annotations of one name', 'id: usesProxyProtocol', 'id: hostname', /two annotations are called 'hostname'/],
])('%s in a descriptor fails the build', (_, right, wrong, fault) => {
  expect(TEXT).toContain(right);
  expect(() => filesOf(descriptorOf(FOLDER, TEXT.replace(right, wrong)))).toThrow(fault);
});
