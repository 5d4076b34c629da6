import { AWS_CLASS, controllers, INTERNET_FACING, linesOf, nodes, objects, pods, reportOn, service } from './reported';

// What a report says where something is missing: whoever reads it can do what it asks for, and reads each thing once.

const AWS = controllers('aws-load-balancer-controller');

describe('a Service without a known owner', () => {
  test('the path is short, and the controllers that it may have are listed once', () => {
    const { out } = reportOn(objects(service()));
    expect(out).toContain('  path      unknown: needs controllers in load-balancers.yaml\n');
    expect(out.match(/cloud-provider-azure/g)).toHaveLength(1);
  });

  test('a class that no known controller serves is named: the list of controllers alone would not help', () => {
    const report = reportOn(objects(service('loadBalancerClass: example.com/own')));
    expect(report.out).toContain(
      "unknown   1           -          not known: needs a controller of class 'example.com/own'",
    );
    expect(linesOf(report, 'needs')).toContain(
      "a controller of class 'example.com/own': none that is known here serves it by default; if one of them is installed with it, add its Deployment to the files",
    );
  });

  test('in a folder of several clouds the class names the owner, and annotations make a guess', () => {
    const { out } = reportOn(
      objects(
        service(AWS_CLASS, { name: 'aws' }),
        service('loadBalancerClass: eks.amazonaws.com/nlb', { name: 'auto' }),
        service('loadBalancerClass: networking.gke.io/l4-regional-internal', { name: 'gke' }),
        service('', { name: 'hz', annotations: '{load-balancer.hetzner.cloud/location: fsn1}' }),
      ),
    );
    expect(out).toMatch(/\n {2}aws-load-balancer-controller +1 /);
    expect(out).toMatch(/\n {2}eks-auto-mode +1 /);
    expect(out).toMatch(/\n {2}gke +1 /);
    expect(out).toMatch(/\n {2}hcloud-cloud-controller-manager \(a guess\) +1 /);
    expect(out).not.toContain('unknown   ');
  });
});

test('where one node has no zone, the way is still there, and only the shares are not', () => {
  const report = reportOn({ ...AWS, ...objects(nodes('a1 n1'), pods('a1 n1'), service(AWS_CLASS)) });
  expect(linesOf(report, 'path')[0]).toContain('client → Network Load Balancer → node port');
  expect(linesOf(report, 'shares')).toEqual(['unknown: needs the zone of node n1; other nodes have one']);
});

test('where no node is healthy, nothing is said of what a loss would break', () => {
  const down = objects(nodes('a1 b1', 'False'), pods('a1 b1'), service(AWS_CLASS));
  const report = reportOn({ ...AWS, ...down });
  expect(linesOf(report, 'dropped')).toEqual(['100 % = no target is healthy']);
  expect(linesOf(report, 'today')[0]).toContain('100 % answered by no pod: no target is healthy');
  expect(linesOf(report, 'today')[0]).not.toContain('no second hop');
  expect(linesOf(report, 'path')[0]).toBe('client → Network Load Balancer → none of 2 nodes is healthy');
  for (const label of ['loss', 'depends']) {
    expect(linesOf(report, label)).toEqual([]);
  }
});

test('what is nearly all is not all', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join(' ');
  const report = reportOn({ ...AWS, ...objects(nodes(many(300)), pods(many(300)), service(AWS_CLASS)) });
  expect(linesOf(report, 'today')[0]).toContain('second hop for 99.6 % of connections');
});

test('what is nearly nothing of a quota is not nothing', () => {
  const { out } = reportOn({ ...AWS, ...objects(service(AWS_CLASS)) });
  expect(out).not.toContain(' 0 % of ');
});

test('data to the internet is counted by the option that the report names', () => {
  const files = { ...controllers('cloud-provider-azure'), ...objects(service()) };
  const region = ['--region', 'westeurope', '--gb-per-month', '500'];
  expect(reportOn(files, ...region).out).toContain('(--gb-out-per-month)');
  const counted = reportOn(files, ...region, '--gb-out-per-month', '200');
  expect(counted.code).toBe(0);
  expect(counted.out).not.toContain('data to the internet not counted');
});

describe('a region that is given', () => {
  const node =
    '{apiVersion: v1, kind: Node, metadata: {name: a1, labels: {topology.kubernetes.io/region: eu-west-1, topology.kubernetes.io/zone: eu-west-1a}}}\n';
  const files = {
    ...AWS,
    ...objects(node, service(AWS_CLASS), service(AWS_CLASS, { name: 'other' }).replace('443', '444')),
  };

  test('wins over that of nodes, which is no longer assumed', () => {
    expect(reportOn(files).out).toContain('region eu-west-1, seen in');
    expect(reportOn(files, '--region', 'us-east-1').out).not.toContain('region eu-west-1');
  });

  test('where it has no prices, no saving is made up', () => {
    const known = { 'load-balancers.yaml': `${AWS['load-balancers.yaml']}region: mars\n` };
    expect(reportOn({ ...files, ...known }).out).not.toContain('USD 0.00');
  });

  test('one zone is one zone', () => {
    expect(reportOn(files).out).toContain('a balancer is in the 1 zone of the nodes');
  });
});

test('files without load balancers need no nodes and pods', () => {
  const { out } = reportOn(objects('{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n'));
  expect(out).toBe('no load balancers\n');
});

test('a pod without connections has the reason', () => {
  const running = pods('a1 b1');
  const report = reportOn({
    ...AWS,
    ...objects(nodes('a1'), nodes('b1', 'False'), running, service(AWS_CLASS, { annotations: INTERNET_FACING })),
  });
  expect(linesOf(report, 'share')[1]).toBe('web-1 on b1: 0 %, its node is not ready');
});

test('what MetalLB announces needs its pool and advertisements, by name', () => {
  const metallb = service('', { annotations: '{metallb.io/address-pool: edge}' });
  const hetzner = service('', { name: 'hz', annotations: '{load-balancer.hetzner.cloud/location: fsn1}' });
  const report = reportOn(objects(metallb, hetzner, service(AWS_CLASS, { name: 'aws' })));
  expect(linesOf(report, 'path').filter((line) => line.startsWith('unknown'))).toEqual([
    'unknown: needs its IPAddressPool, and either L2Advertisements or BGPAdvertisements of it, among the objects',
  ]);
});

test('Services that share an address use one frontend', () => {
  const shared = (name: string, port: number) =>
    service('', { name, annotations: '{service.beta.kubernetes.io/azure-pip-name: edge}' }).replace('443', `${port}`);
  const files = { ...controllers('cloud-provider-azure'), ...objects(shared('one', 80), shared('two', 81)) };
  expect(reportOn(files).out).toContain('Frontend IP configurations per load balancer (1 of 600)');
});
