import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { LoadBalancerAlert, LoadBalancerAlerts, WatchedController, WebhookCertificate } from '../../src';
import type { Json } from '../../src/contract/json';
import { everythingWatched, lbcIn, objectsOf } from '../alerts/watched-app';
import { AUTHORITY } from '../installations/certificates';
import { tablesOf } from '../support/yaml-cases';
import { differences, type Fired, faultsOfRules, type RecordedSeries, unworded } from './harness/promtool';

const specOf = (alerts: LoadBalancerAlerts): Json =>
  objectsOf(alerts).find(({ kind }) => kind === 'PrometheusRule')?.spec;

const SPEC = specOf(everythingWatched());
interface Case {
  readonly when: string;
  readonly series: RecordedSeries;
  readonly at: number;
  /** The severity, and the labels by which it is found. */
  readonly fires: readonly string[];
}

interface Tables {
  readonly names: Readonly<Record<string, string>>;
  readonly sets: Readonly<Record<'BALANCED', RecordedSeries>>;
  readonly cases: Readonly<Record<LoadBalancerAlert, readonly Case[]>>;
}

const { names, sets, cases: CASES } = tablesOf<Tables>(join(__dirname, 'alerts.yaml'));
const named = (text: string) => text.replace(/<(\w+)>/g, (_, name) => names[name]);
const seriesOf = (series: RecordedSeries): RecordedSeries =>
  Object.fromEntries(Object.entries(series).map(([name, values]) => [named(name), values]));

function fired(text: string): Fired {
  const [severity] = text.split(' ');
  const labels = [...named(text).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return { labels: { severity, ...Object.fromEntries(labels) } };
}

const A = LoadBalancerAlert;
const BALANCED = seriesOf(sets.BALANCED);
const recording = ({ series, at, fires }: Case) => ({ series: seriesOf(series), at, fires: fires.map(fired) });

test('Prometheus takes every alert, with its templates', () => {
  expect(faultsOfRules(SPEC)).toBe('');
  expect(
    faultsOfRules({ groups: [{ name: 'wrong', rules: [{ alert: 'Wrong', expr: 'sum by (', annotations: {} }] }] }),
  ).toMatch(/parse error|unclosed/);
});

test('every alert has series on which it fires, and such on which it must not', () => {
  const lacking = Object.entries(CASES).filter(
    ([, cases]) => !cases.some(({ fires }) => fires.length > 0) || cases.every(({ fires }) => fires.length > 0),
  );
  expect(lacking.map(([alert]) => alert)).toEqual([]);
});

describe.each(Object.entries(CASES))('%s', (alert, cases) => {
  test.each(cases)('when $when: $fires', (one) => {
    const { fires, ...recorded } = recording(one);
    expect(differences(unworded(SPEC), { ...recorded, alert, fires })).toBe('');
    if (fires.length > 0) expect(differences(unworded(SPEC), { ...recorded, alert, fires: [] })).toMatch(/exp:/);
  });
});

test('an alert names the Service, the command and the page', () => {
  const rule = SPEC.groups[0].rules.find((one: Json) => one.alert === A.PENDING);
  const filled = (text: string) =>
    text.replaceAll('{{ $labels.namespace }}', 'shop').replaceAll('{{ $labels.service }}', 'echo');
  const annotations = Object.fromEntries(
    Object.entries<string>(rule.annotations).map(([key, text]) => [key, filled(text)]),
  );
  expect(annotations.summary).toBe('Service shop/echo has no address');
  expect(
    differences(SPEC, {
      series: BALANCED,
      at: 20,
      alert: A.PENDING,
      fires: [{ ...fired('warning <ECHO>'), annotations }],
    }),
  ).toBe('');
});

test('a certificate in a Secret of the user is watched by its Secret', () => {
  const app = new App();
  const certificate = WebhookCertificate.fromSecret('own-tls', AUTHORITY);
  const controllers = [WatchedController.awsLoadBalancerController(lbcIn(app, certificate))];
  const spec = unworded(specOf(new LoadBalancerAlerts(new Chart(app, 'alerts'), 'Alerts', { controllers })));
  const series = (days: number) => ({
    'x509_cert_not_after{secret_namespace="kube-system",secret_name="own-tls",secret_key="tls.crt"}': `${days * 86_400}x300`,
  });
  const alert = A.CERTIFICATE_ENDING;
  const fires = [fired('warning <LBC>,secret_name="own-tls"')];
  expect(differences(spec, { series: series(20), at: 61, alert, fires })).toBe('');
  expect(differences(spec, { series: series(22), at: 61, alert, fires: [] })).toBe('');
});

test('thresholds move what fires', () => {
  const strict = unworded(
    specOf(everythingWatched({ thresholds: { pendingMinutes: 3, quotaPercent: 50, tenantConnections: 10 } })),
  );
  const quota = (type: string) =>
    `kube_resourcequota{namespace="shop",resourcequota="own",resource="services.loadbalancers",type="${type}"}`;
  const used = { [quota('used')]: '1x300', [quota('hard')]: '2x300' };
  const fires = [fired('warning namespace="shop",resourcequota="own"')];
  expect(differences(strict, { series: BALANCED, at: 3, alert: A.PENDING, fires: [fired('warning <ECHO>')] })).toBe('');
  expect(differences(strict, { series: used, at: 10, alert: A.QUOTA_NEARLY_USED, fires })).toBe('');
});
