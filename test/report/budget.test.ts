import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  HetznerCloud,
  LoadBalancedService,
  LoadBalancerBudget,
  type LoadBalancerBudgetProps,
  LoadBalancers,
} from '../../src';

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
      /^ *\[Budget\] budget: load balancers cost USD 39\.\d\d a month by the price list, more than maxMonthlyCost USD 30\.00: 2 × 0\.027 × 730 h; let Services share balancers, or raise maxMonthlyCost \(monthly-cost-limit\)$/m,
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
      'maxMonthlyCost.USD -1 is not a valid limit; give a number of 0 or more (monthly-cost-limit)',
    );
  });
});

test.each<[LoadBalancerBudgetProps, string]>([
  [{ region: 'eu-central-1' }, 'there is no limit; give maxMonthlyCost or maxQuotaPercent'],
  [{ maxMonthlyCost: {} }, 'there is no limit; give maxMonthlyCost or maxQuotaPercent'],
  [
    { maxMonthlyCost: { usd: 100 } },
    "'usd' in maxMonthlyCost is not a currency in three capitals; write one such as USD",
  ],
  [{ maxMonthlyCost: { USD: 100 }, zones: -3 }, 'zones is -3, which is not a whole number of 1 or more'],
  [{ maxMonthlyCost: { USD: 100 }, connections: -4 }, 'connections is -4, which is not a number of 0 or more'],
])('%j is refused with the path', (props, message) => {
  const chart = new Chart(new App(), 'edge');
  expect(() => new LoadBalancerBudget(chart, 'Budget', props)).toThrow(`edge/Budget: ${message}`);
});

describe('maxQuotaPercent', () => {
  const aboutQuota = (maxQuotaPercent: number, quotas?: LoadBalancerBudgetProps['quotas']) => {
    const { app } = charts();
    new LoadBalancerBudget(app, 'Budget', { maxQuotaPercent, quotas });
    return LoadBalancers.of(app);
  };

  test('what uses more of a quota is an error that a test can ask for without a synth', () => {
    expect(aboutQuota(50, { 'aws-nlbs': 2 }).errors).toEqual([
      expect.objectContaining({
        path: 'Budget',
        finding: expect.objectContaining({
          ruleId: 'quota-percent-limit',
          what: expect.stringContaining('(2 of 2) is used, more than maxQuotaPercent 50, most of it by edge/web'),
        }),
      }),
    ]);
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
