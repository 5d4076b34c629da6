import { join } from 'node:path';
import { Lazy } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  AwsLoadBalancerController,
  CustomController,
  KubernetesVersion,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  LoadBalancerRequest,
  NlbTargetType,
  PortProtocol,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, synth } from '../support/apps';
import { casesIn, tablesOf } from '../support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'bad-input.yaml'));

const nlb = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

const rows: [string, Json, string][] = [
  ...tables.rows,
  ['a range that is not known yet', { sourceRanges: [Lazy.any({ produce: () => 'a' })] }, 'is not a list of strings'],
  [
    'a factory whose parentheses were forgotten',
    { controller: AwsLoadBalancerController.nlb },
    'controller is a function, which is not an ILoadBalancerController',
  ],
  [
    'a plan without an owner',
    { controller: { name: 'acme', bind: () => ({}) } },
    'bind returned no plan with an owner',
  ],
  ['no plan at all', { controller: { name: 'acme', bind: () => undefined } }, 'bind returned no plan with an owner'],
];

test.each(rows)('%s is an error with the path of its construct, and nothing is written', (_, props, message) => {
  const chart = newChart();
  const good = { controller: nlb, selector: { app: 'echo' }, ports: [{ port: 443 }] };
  const errors: string[] = [];
  try {
    new LoadBalancedService(chart, 'Bad', { ...good, ...props } as LoadBalancedServiceProps);
    errors.push(...errorsOf(chart));
  } catch (error) {
    errors.push(...(error as Error).message.split('\n'));
  }
  expect(errors).toContainEqual(expect.stringContaining(message));
  for (const error of errors) {
    expect(error).toMatch(/^(\[echo\/Bad\] [\w-]+|echo\/Bad): .+; .+ \([\w-]+\)$/);
  }
});

test('all problems of an app stand in one error', () => {
  const chart = newChart();
  for (const id of ['First', 'Second']) {
    new LoadBalancedService(chart, id, { controller: nlb, selector: {}, ports: [{ port: 70000 }] });
  }
  expect(errorsOf(chart).map((error) => error.split(' ')[0])).toEqual([
    '[echo/First]',
    '[echo/First]',
    '[echo/Second]',
    '[echo/Second]',
  ]);
});

test('a controller that throws is a problem with a path, not a stack trace', () => {
  const chart = newChart();
  const controller = {
    name: 'acme',
    bind() {
      throw new Error('no idea');
    },
  };
  new LoadBalancedService(chart, 'Echo', { controller, selector: { app: 'echo' }, ports: [{ port: 443 }] });
  expect(errorsOf(chart)).toEqual(['[echo/Echo] acme: bind failed: no idea; mend the controller (controller-failed)']);
});

test('a wish that a plan passes over is a problem that names it', () => {
  const chart = newChart();
  const controller = { name: 'acme', bind: () => ({ owner: 'acme' }) };
  new LoadBalancedService(chart, 'Echo', {
    controller,
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
    sourceRanges: ['10.0.0.0/8'],
  });
  expect(errorsOf(chart)).toEqual([
    expect.stringContaining('the plan does not answer sourceRanges, with value ["10.0.0.0/8"]'),
  ]);
});

test('a copy of a request keeps what is not overridden', () => {
  const request = new LoadBalancerRequest({
    ports: [{ port: 443 }],
    dnsName: 'a.example.com',
    sourceRanges: ['10.0.0.0/8'],
  });
  const copy = request.with({ dnsName: 'b.example.com', sourceRanges: undefined });
  expect(copy).toMatchObject({ dnsName: 'b.example.com', sourceRanges: ['10.0.0.0/8'], ports: [{ port: 443 }] });
});

test('two Services of one name in one chart are an error that names both', () => {
  const chart = newChart();
  const props = { controller: nlb, name: 'echo', selector: { app: 'echo' }, ports: [{ port: 443 }] };
  new LoadBalancedService(chart, 'First', props);
  new LoadBalancedService(chart, 'Second', props);
  expect(errorsOf(chart)).toEqual([
    '[echo/Second] kubernetes: Service echo/echo is made by echo/First as well; give one of the two another name (object-duplicate)',
  ]);
});

test('workload and selector exclude each other', () => {
  const chart = newChart();
  const workload = new Deployment(chart, 'Echo', { containers: [{ image: 'echo' }] });
  new LoadBalancedService(chart, 'Service', {
    controller: nlb,
    workload,
    selector: { app: 'a' },
    ports: [{ port: 1 }],
  });
  expect(errorsOf(chart)).toContainEqual(expect.stringContaining('workload and selector are both set; keep one'));
});

test('a literal plan is rendered whole', () => {
  const chart = newChart();
  const controller = CustomController.of({
    owner: 'acme',
    loadBalancerClass: 'acme.example.com/lb',
    finalizers: ['acme.example.com/cleanup'],
    labels: { tier: 'edge' },
    annotations: { 'acme.example.com/size': 'big' },
    loadBalancerIp: '10.0.0.1',
  });
  new LoadBalancedService(chart, 'Echo', {
    controller,
    name: 'echo',
    selector: { app: 'echo' },
    ports: [
      { port: 53, protocol: PortProtocol.TCP },
      { port: 54, targetPort: 55, nodePort: 30054, appProtocol: 'https' },
    ],
  });
  expect(synth(chart)).toEqual(casesIn(__dirname, 'bad-input.yaml')['a literal plan is rendered whole']);
});

test.each(['1', '1.x', 'latest', ''])("'%s' is no version of Kubernetes", (version) => {
  expect(() => KubernetesVersion.of(version)).toThrow('write it like 1.34');
});
