import { App, Chart } from 'cdk8s';
import fc from 'fast-check';
import {
  AwsLoadBalancerController,
  HetznerCloud,
  LoadBalancedService,
  LoadBalancerBudget,
  type LoadBalancerBudgetProps,
  LoadBalancers,
} from '../../src';
import { markdownText } from '../../src/report/document';
import { mermaidLabel } from '../../src/report/formats';
import { tries } from '../support/random';
import { casesIn, table } from '../support/yaml-cases';
import { AWS_CLASS, controllers, deployment, nodes, objects, pods, reportOn, service } from './reported';

const AWS = controllers('aws-load-balancer-controller');
const whole = { ...AWS, ...objects(nodes('a1 a2 b1'), pods('a1 a2 a2'), service(AWS_CLASS)) };

const BOX = /^ {2}[a-z]+\d*\["[^"\n<>`]+"\]$/;
const ARROW = /^ {2}[a-z]+\d* -->(\|"[^"\n<>`|]+"\|)? [a-z]+\d*$/;

function faultsOf(markdown: string): string[] {
  const charts = [...markdown.matchAll(/```mermaid\n(.*?)\n```/gs)].map(([, chart]) => chart.split('\n'));
  return charts.flatMap(([first, ...lines]) => {
    const ids = lines.filter((line) => BOX.test(line)).map((line) => line.trim().split('[')[0]);
    const ends = lines
      .filter((line) => ARROW.test(line))
      .flatMap((line) => [line.trim().split(' ')[0], line.split(' ').at(-1) ?? '']);
    return [
      ...(first === 'flowchart LR' ? [] : [first]),
      ...lines.filter((line) => !BOX.test(line) && !ARROW.test(line)),
      ...ids.filter((id, index) => ids.indexOf(id) !== index),
      ...ends.filter((end) => !ids.includes(end)),
    ];
  });
}

describe('JSON', () => {
  const json = JSON.parse(reportOn(whole, '--format', 'json', '--what-if', 'local').out);

  test('has every figure with its terms', () => {
    const [path] = json.paths;
    expect(path.path.shares.pods.map(({ exact }: { exact: string }) => exact)).toEqual(['1/3', '1/3', '1/3']);
    expect(path.alternatives[0].path.shares.pods[0].terms).toEqual(['1/2 through node a1, its own pods × 1']);
    expect(json.bill.amounts).toEqual({ USD: '16.425' });
    expect(json.owners[0]).toMatchObject({ owner: 'aws-load-balancer-controller', balancers: 1, amount: 'USD 16.43' });
  });

  test('has what is made of a balancer, and not its whole manifest', () => {
    expect(json.balancers[0].made.product).toBe('aws/nlb');
    expect(json.balancers[0].service).toBeUndefined();
  });
});

describe('Markdown', () => {
  test('has a flowchart with the shares on its arrows', () => {
    const { out } = reportOn(whole, '--format', 'markdown');
    expect(out).toContain('  balancer -->|"50 %"| node2');
    expect(out).toContain('  proxy -->|"33.3 %"| pod0');
    expect(out.match(/```mermaid/g)).toHaveLength(1);
    expect(faultsOf(out)).toEqual([]);
  });

  test('shows where connections end that no pod answers', () => {
    const files = { ...AWS, ...objects(nodes('n1'), pods('n1').replace("'True'", "'False'"), service(AWS_CLASS)) };
    expect(reportOn(files, '--format', 'markdown').out).toContain('balancer -->|"100 %"| dropped');
  });

  test('a large cluster is drawn in part, and told in full as sums', () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`).join(' ');
    const { out } = reportOn(
      { ...AWS, ...objects(nodes(names), deployment(80), service(AWS_CLASS)) },
      '--format',
      'markdown',
    );
    expect(out).toContain('nodes["28 more nodes"]');
    expect(out).toContain('balancer -->|"70 %"| nodes');
    expect(out).toContain('proxy -->|"85 %"| pods');
    expect(faultsOf(out)).toEqual([]);
  });

  test('names of third parties are no markup', () => {
    const wrong = service(AWS_CLASS, { name: '"</td><script>|`[x](y)`@team http://a"' });
    const { out } = reportOn({ ...AWS, ...objects(nodes('n1'), pods('n1'), wrong) }, '--format', 'markdown');
    expect(out).not.toMatch(/<|@team|http:\/\/|\[x\]/);
  });

  test('any label parses, and any text is in one cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(mermaidLabel(text)).toMatch(/^"[^"\n<>`|\\]+"$/);
        expect(markdownText(text)).not.toMatch(/[\n\r|<>`]/);
      }),
    );
  });
});

test('whatever the numbers are, no format has one that is none', () => {
  const numbers = fc.record({
    zones: fc.integer({ min: 1, max: 9999 }),
    gb: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true, max: 1e15 }),
    connections: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true, max: 1e15 }),
    replicas: fc.integer({ min: 0, max: 30 }),
    on: fc.integer({ min: 1, max: 5 }),
    format: fc.constantFrom('text', 'json', 'markdown', 'html'),
  });
  fc.assert(
    fc.property(numbers, ({ zones, gb, connections, replicas, on, format }) => {
      const names = Array.from({ length: on }, (_, index) => `${'abc'[index % 3]}${index}`).join(' ');
      const files = { ...AWS, ...objects(nodes(names), deployment(replicas), service(AWS_CLASS)) };
      const figures = ['--zones', `${zones}`, '--gb-per-month', `${gb}`, '--connections', `${connections}`];
      const ways = ['local', 'cluster', 'ip', 'pinned', 'spread'].flatMap((way) => ['--what-if', way]);
      const { out, code } = reportOn(files, ...figures, ...ways, '--format', format);
      expect(code).toBe(0);
      expect(out).not.toMatch(/\b(NaN|Infinity|undefined)\b|\[object|: null/);
    }),
    { numRuns: tries(60) },
  );
});

test('a page and JSON of files alone have the path, the cost and the findings', () => {
  const files = { ...AWS, ...objects(service(`${AWS_CLASS}\n  loadBalancerSourceRanges: [10.0.0.300/8]`)) };
  const text = reportOn(files, '--format', 'html')
    .out.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toMatch(/Path client → Network Load Balancer/);
  expect(text).toMatch(/USD 16\.43/);
  expect(text).toMatch(/Service shop\/web error .*10\.0\.0\.300/);
  const { findings } = JSON.parse(reportOn(files, '--format', 'json').out);
  const place = expect.stringMatching(/k8s\.yaml:\d+$/);
  expect(findings[0]).toMatchObject({ level: 'error', object: 'Service shop/web', place });
});

test('a report of owners that are guessed ends with what to write', () => {
  const guessed = service('', { annotations: '{load-balancer.hetzner.cloud/location: fsn1}' });
  expect(reportOn(objects(guessed)).out).toMatch(/\n\nthis rests on a guess of the cluster; .*check --init\)\n$/);
  expect(reportOn(whole).out).not.toContain('guess');
});

describe('budget', () => {
  let reported = '';
  beforeEach(() => {
    reported = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      reported += text;
      return true;
    });
  });
  afterEach(() => jest.restoreAllMocks());

  function charts(): { app: App; edge: Chart; shop: Chart } {
    const app = new App();
    const [edge, shop] = ['edge', 'shop'].map((namespace) => {
      const chart = new Chart(app, namespace, { namespace });
      const controller = AwsLoadBalancerController.nlb();
      new LoadBalancedService(chart, 'web', {
        name: 'web',
        controller,
        selector: { app: 'web' },
        ports: [{ port: 443 }],
      });
      return chart;
    });
    return { app, edge, shop };
  }

  const FRANKFURT = { region: 'eu-central-1', zones: 3 };

  describe('maxMonthlyCost', () => {
    const limited = (budget: LoadBalancerBudgetProps) => {
      const { app } = charts();
      new LoadBalancerBudget(app, 'Budget', budget);
      return app;
    };

    test('a bill beyond it stops the synth, at the construct, with its terms', () => {
      expect(() => limited({ ...FRANKFURT, maxMonthlyCost: { USD: 30 } }).synthYaml()).toThrow(
        /^ *\[Budget\] budget: load balancers cost USD 39\.\d\d a month by the price list, more than maxMonthlyCost USD 30\.00: 2 × 0\.027 × 730 h; let Services share balancers, or raise maxMonthlyCost \(monthly-cost-exceeded\)$/m,
      );
      expect(reported).toBe('');
    });

    test('a bill within it passes without a word', () => {
      expect(limited({ ...FRANKFURT, maxMonthlyCost: { USD: 40 } }).synthYaml()).toContain('kind: Service');
      expect(reported).toBe('');
    });

    test('the budget of a chart counts the balancers of the chart', () => {
      const { app, edge } = charts();
      new LoadBalancerBudget(edge, 'Budget', { ...FRANKFURT, maxMonthlyCost: { USD: 30 } });
      expect(app.synthYaml()).toContain('kind: Service');
      new LoadBalancerBudget(edge, 'Low', { ...FRANKFURT, maxMonthlyCost: { USD: 5 } });
      expect(() => app.synthYaml()).toThrow('[edge/Low] budget: load balancers cost USD 19.');
    });

    test('prices of a region that nobody gave are a warning, which can be acknowledged or made to fail', () => {
      const app = limited({ maxMonthlyCost: { USD: 40 } });
      app.synthYaml();
      expect(reported).toContain('[Budget] budget: maxMonthlyCost is compared with the prices of region ');
      LoadBalancers.of(app).failOnWarnings();
      expect(() => app.synthYaml()).toThrow('(a warning that was made to fail)');
      LoadBalancers.of(app).acknowledge('monthly-cost-unknown', 'list prices of one region are good enough');
      expect(app.synthYaml()).toContain('kind: Service');
    });

    test('what is billed in a currency without a limit is a warning', () => {
      const app = new App();
      const chart = new Chart(app, 'edge');
      const controller = HetznerCloud.loadBalancer();
      new LoadBalancedService(chart, 'web', { controller, selector: { app: 'web' }, ports: [{ port: 443 }] });
      new LoadBalancerBudget(app, 'Budget', { region: 'fsn1', maxMonthlyCost: { USD: 1 } });
      app.synthYaml();
      expect(reported).toContain('a month cannot be compared with maxMonthlyCost, which has no limit in EUR');
    });

    test('a limit below zero is an error', () => {
      expect(() => limited({ maxMonthlyCost: { USD: -1 } }).synthYaml()).toThrow(
        'maxMonthlyCost.USD -1 is not a valid limit; give a number of 0 or more (monthly-cost-exceeded)',
      );
    });
  });

  test.each<[LoadBalancerBudgetProps, string]>(table('report/formats.yaml', 'refused properties'))(
    '%j is refused with the path',
    (props, message) => {
      const chart = new Chart(new App(), 'edge');
      expect(() => new LoadBalancerBudget(chart, 'Budget', props)).toThrow(`edge/Budget: ${message}`);
    },
  );

  describe('maxQuotaPercent', () => {
    const aboutQuota = (maxQuotaPercent: number, quotas?: LoadBalancerBudgetProps['quotas']) => {
      const { app } = charts();
      new LoadBalancerBudget(app, 'Budget', { maxQuotaPercent, quotas });
      return LoadBalancers.of(app);
    };

    test('what uses more of a quota is an error that a test can ask for without a synth', () => {
      expect(aboutQuota(50, { 'aws-nlbs': 2 }).errors).toEqual(
        casesIn(__dirname, 'formats.yaml')['what uses more of a quota is an error that a test can ask'],
      );
    });

    test('a quota whose use is not known is a warning', () => {
      const { errors, warnings } = aboutQuota(50);
      expect(errors).toEqual([]);
      expect(warnings.map(({ finding }) => finding.ruleId)).toContain('quota-percent-unknown');
    });

    test('a quota that there is not is an error', () => {
      expect(aboutQuota(50, { 'aws-moons': 2 }).errors.map(({ finding }) => finding.what)).toContain(
        "'aws-moons' is not a quota",
      );
    });
  });
});
