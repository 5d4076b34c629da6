import { casesIn } from '../support/yaml-cases';
import {
  AWS_CLASS,
  controllers,
  deployment,
  INTERNET_FACING,
  linesOf,
  nodes,
  objects,
  pods,
  reportOn,
  service,
} from './reported';

// What people saw before they knew why, as files: each number is there with its terms.

const AWS = controllers('aws-load-balancer-controller');

function sharesOf(report: ReturnType<typeof reportOn>): string[] {
  return linesOf(report, 'share').map((line) => /: ([\d.]+ % = [\d/]+)/.exec(line)?.[1] ?? line);
}

const kafka = (replicas: number) => `apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: {name: events, namespace: kafka}
spec:
  kafka:
    version: 3.9.0
    replicas: ${replicas}
    listeners:
    - name: external
      port: 9094
      type: loadbalancer
      tls: true
      configuration: {class: service.k8s.aws/nlb, finalizers: [service.k8s.aws/resources]}
`;

describe('a Kafka listener with a balancer for each broker', () => {
  const report = reportOn({ ...AWS, ...objects(kafka(3), nodes('a1 b1 c1')) });

  test('it is four balancers, with what they cost and use', () => {
    expect(report.out).toContain(
      'aws-load-balancer-controller   4           8 %        USD 65.70 = 4 × 0.0225 × 730 h',
    );
    expect(linesOf(report, 'quota')[0]).toContain('8 % of Network Load Balancers per Region (4 of 50)');
  });

  test('the Services of the brokers are one row, and each leads to its own broker', () => {
    expect(report.out).toContain('\nkafka/events-kafka-0, kafka/events-kafka-1, kafka/events-kafka-2: Network');
    expect(report.out).toContain('\nkafka/events-kafka-external-bootstrap: Network');
    expect(sharesOf(report)).toEqual(['33.3 % = 1/3', '33.3 % = 1/3', '33.3 % = 1/3', '100 % = 1']);
  });

  test('pods that run are taken before those that are expected', () => {
    const running = `apiVersion: v1
kind: Pod
metadata:
  name: events-kafka-0
  namespace: kafka
  labels: {statefulset.kubernetes.io/pod-name: events-kafka-0, strimzi.io/pod-name: events-kafka-0, strimzi.io/cluster: events, strimzi.io/kind: Kafka, strimzi.io/pool-name: kafka, strimzi.io/name: events-kafka, strimzi.io/broker-role: 'true'}
spec: {nodeName: c1}
status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}
`;
    const { out } = reportOn({ ...AWS, ...objects(kafka(1), nodes('a1 b1 c1'), running) });
    expect(out).toContain('events-kafka-0 on c1: 100 % = 1');
    expect(out).not.toContain('assumed to be spread');
  });
});

describe('a Service that names neither owner nor scheme', () => {
  const plain = objects(service());

  test('no number is made up: what may own it is listed, and what is needed', () => {
    const report = reportOn(plain);
    expect(report.out).toMatch(/unknown +1 +- +not known: needs controllers in load-balancers\.yaml\n/);
    const [need] = linesOf(report, 'needs').filter((line) => line.startsWith('controllers'));
    expect(need).toContain('cloud-provider-aws');
    expect(need).toContain('aws-load-balancer-controller');
  });

  test('with its owner it is the Classic balancer of eighteen dollars a month, both ways of the data, and public addresses', () => {
    const { out } = reportOn(
      { ...controllers('cloud-provider-aws'), ...plain },
      '--zones',
      '2',
      '--gb-per-month',
      '1000',
    );
    expect(out).toContain('USD 33.55 = 0.025 × 730 h + 2 zones × 3.65 public IPv4 + 1000 GB × 0.008 processed');
  });
});

describe('Cluster on three nodes, three pods on two of them', () => {
  const files = { ...AWS, ...objects(nodes('n1 n2 n3'), pods('n1 n2 n2'), service(AWS_CLASS)) };
  const report = reportOn(files, '--what-if', 'local', '--what-if', 'ip');

  test('what a connection depends on today', () => {
    expect(linesOf(report, 'today')).toEqual([
      '(Cluster, targets are nodes): second hop for 2 of 3 connections, client address lost at the node; a connection also dies with the node in the middle',
    ]);
    expect(linesOf(report, 'depends')).toEqual([
      'on two nodes: 66.7 % = 2/3; on one alone: 33.3 % = 1 − 2/3 with a second hop − 0',
    ]);
    expect(linesOf(report, 'loss')[0]).toMatch(
      /^node n2: 77\.8 % of connections break = 1\/3 through it \+ 2\/3 ending/,
    );
  });

  test('what else could be, side by side: half of all for one pod, or a third for each', () => {
    expect(linesOf(report, 'what if')).toEqual([
      'Local: 50 % / 25 % / 25 % per pod (3 pods on 2 nodes); no second hop, client address kept; node n3 fails the health check, as it should (no ready pod on it, so /healthz answers 503)',
      'pods as targets: 33 % each; no second hop, client address lost at the balancer',
    ]);
  });

  test('the shares are those of the rules of the node', () => {
    expect(sharesOf(report)).toEqual(Array(3).fill('33.3 % = 1/3'));
    const local = reportOn({
      ...AWS,
      ...objects(nodes('n1 n2 n3'), pods('n1 n2 n2'), service(`${AWS_CLASS}\n  externalTrafficPolicy: Local`)),
    });
    expect(sharesOf(local)).toEqual(['50 % = 1/2', '25 % = 1/4', '25 % = 1/4']);
    expect(linesOf(local, 'share')[1]).toBe('web-1 on n2: 25 % = 1/4 = 1/2 through node n2, its own pods × 1/2');
  });
});

describe('a hundred of a hundred answers from one pod', () => {
  const files = {
    ...controllers('metallb'),
    ...objects(nodes('n1 n2 n3'), pods('n1 n2 n3'), service('externalTrafficPolicy: Local')),
  };

  test('one node has the address, and with Local its pod has everything', () => {
    const report = reportOn(files);
    expect(sharesOf(report)).toEqual(['100 % = 1', '0 % = 0', '0 % = 0']);
    expect(linesOf(report, 'today')[0]).toContain('node n1 has everything until it fails');
    expect(linesOf(report, 'assumed')[0]).toBe('n1 is assumed to have the address; 2 other nodes could have it');
  });

  test('with Cluster they are even, and two of three go on to another node', () => {
    expect(linesOf(reportOn(files, '--what-if', 'cluster'), 'what if')[0]).toMatch(/^Cluster: second hop for 2 of 3 /);
  });
});

describe('pods that were moved to another pool', () => {
  const elsewhere = casesIn(__dirname, 'stories.yaml').elsewhere;
  const pool = (name: string, label: string) =>
    `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}, labels: {pool: ${label}}}\nstatus: {conditions: [{type: Ready, status: 'True'}]}\n`;
  const cluster = [pool('s1', 'system'), pool('i1', 'ingest'), pool('i2', 'ingest'), pool('i3', 'ingest')];
  const own = '{service.beta.kubernetes.io/aws-load-balancer-target-node-labels: pool=system}';
  const local = service(`${AWS_CLASS}\n  externalTrafficPolicy: Local`, { annotations: own });
  const report = reportOn({ ...AWS, ...objects(...cluster, elsewhere, local) }, '--what-if', 'pinned');

  test('no node of the balancer has a pod, so nothing is answered', () => {
    expect(linesOf(report, 'dropped')).toEqual(['100 % = no target is healthy']);
    expect(report.out).toContain('no target is healthy; many balancers then send connections to all of them');
  });

  test('pinned to the nodes of the balancer they are even', () => {
    expect(linesOf(report, 'what if')[0]).toMatch(/^pinned to the nodes of the balancer: 33 % each; no second hop/);
  });
});

test('traffic is billed for what crosses zones, as the model has it', () => {
  const files = {
    ...AWS,
    ...objects(nodes('a1 b1 c1'), deployment(3), service(AWS_CLASS, { annotations: INTERNET_FACING })),
  };
  const { out } = reportOn(files, '--gb-per-month', '300', '--region', 'us-east-1');
  expect(out).toContain('3 zones × 3.65 public IPv4');
  expect(out).toContain('300 GB × 0.666666666667 zone crossings × 2 × 0.01');
});
