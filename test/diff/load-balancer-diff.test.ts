import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import * as ours from '../../src';
import { HetznerCloud, LoadBalancerDiff, LoadBalancerOutcome, LoadBalancerScheme } from '../../src';
import { appWith, echoIn, inFolder, kafkaIn } from './apps-to-compare';

type Make = (chart: Chart, library: typeof ours, place: { readonly i: number }) => unknown;

const { EACH, ONCE } = require('../support/every-construct.js') as Record<'EACH' | 'ONCE', Record<string, Make>>;

const { CREATED, DELETED, HANDED_OVER, KEPT, ORPHANED, REFUSED, REPLACED, STUCK } = LoadBalancerOutcome;

beforeEach(() => void jest.spyOn(process.stderr, 'write').mockImplementation(() => true));
afterEach(() => jest.restoreAllMocks());

const outcomes = ({ changes }: LoadBalancerDiff) =>
  Object.fromEntries(changes.map(({ service, outcome }) => [service, outcome]));

describe('between', () => {
  test('an app and the same app again: everything is kept, and nothing is said of it', () => {
    const [older, newer] = [1, 2].map(() => appWith((chart) => void echoIn(chart), { namespace: 'edge' }));
    const diff = LoadBalancerDiff.between(older, newer);
    expect(diff.changes).toEqual([
      {
        outcome: KEPT,
        service: 'edge/echo',
        title: 'edge/echo',
        ownerBefore: 'aws-load-balancer-controller',
        ownerAfter: 'aws-load-balancer-controller',
        path: 'edge/Echo',
        causes: [],
      },
    ]);
    expect(diff.losses).toEqual([]);
    expect(diff.text()).toBe('KEPT  1\n');
    expect(`${diff}`).toBe(diff.text());
  });

  test('a Service that is gone takes its balancer along, and a new one makes one', () => {
    const older = appWith((chart) => void echoIn(chart));
    const newer = appWith((chart) => void echoIn(chart, { name: 'shop', selector: { app: 'shop' } }));
    const diff = LoadBalancerDiff.between(older, newer, true);
    expect(outcomes(diff)).toEqual({ 'default/echo': DELETED, 'default/shop': CREATED });
    expect(diff.changes[0].causes[0].why).not.toBe('');
    expect(diff.losses.map(({ service }) => service)).toEqual(['default/echo']);
    expect(diff.of(CREATED)).toEqual([diff.ofService('default/shop')]);
    expect(diff.text()).toMatch(/^DELETED {2}default\/echo \(edge\/Echo\)\n {4}/);
  });

  test('an owner is the one of the plan, and another one is seen', () => {
    const older = appWith((chart) => void echoIn(chart, { controller: HetznerCloud.loadBalancer() }));
    const newer = appWith((chart) => void echoIn(chart));
    const [change] = LoadBalancerDiff.between(older, newer).changes;
    expect(change).toMatchObject({
      ownerBefore: 'hcloud-cloud-controller-manager',
      ownerAfter: 'aws-load-balancer-controller',
    });
    expect([ORPHANED, STUCK, DELETED, REPLACED, REFUSED, HANDED_OVER]).toContain(change.outcome);
  });

  test('another scheme is another address', () => {
    const [older, newer] = [LoadBalancerScheme.INTERNAL, LoadBalancerScheme.INTERNET_FACING].map((scheme) =>
      appWith((chart) => void echoIn(chart, { scheme })),
    );
    const [change] = LoadBalancerDiff.between(older, newer).changes;
    expect(change).toMatchObject({ outcome: REPLACED, service: 'default/echo' });
    expect(change.causes).toContainEqual(
      expect.objectContaining({ outcome: REPLACED, before: 'internal', after: 'internet-facing' }),
    );
  });

  test('a broker that goes takes its balancer along, and the others stay', () => {
    const [older, newer] = [4, 3].map((brokers) => appWith((chart) => void kafkaIn(chart, brokers)));
    const diff = LoadBalancerDiff.between(older, newer, true);
    const { 'default/events-brokers-3': gone, ...others } = outcomes(diff);
    expect([DELETED, ORPHANED]).toContain(gone);
    expect(others).toEqual({
      'default/events-kafka-external-bootstrap': KEPT,
      'default/events-brokers-0': KEPT,
      'default/events-brokers-1': KEPT,
      'default/events-brokers-2': KEPT,
    });
    expect(diff.gaps).toEqual([]);
  });

  test('one chart against another one of the same app', () => {
    const app = new App();
    const [older, newer] = ['old', 'new'].map((id) => new Chart(app, id));
    echoIn(older);
    echoIn(newer, { ports: [{ port: 443 }, { port: 80, name: 'http' }] } as never);
    const diff = LoadBalancerDiff.between(older, newer);
    expect(diff.changes.map(({ service, path }) => [service, path])).toEqual([['default/echo', 'new/Echo']]);
  });

  test('what is no construct or no option is refused', () => {
    const app = new App();
    expect(() => LoadBalancerDiff.between(undefined as never, app)).toThrow(/^LoadBalancerDiff.between: older is/);
    expect(() => LoadBalancerDiff.between(app, app, 'yes' as never)).toThrow('prune');
  });
});

describe('fromOutput', () => {
  const { FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE } = YamlOutputType;

  /** Apps by what is in them. */
  const apps: Record<string, (app: App) => unknown> = {
    ...Object.fromEntries(
      Object.entries({ ...EACH, ...ONCE }).map(([name, make]) => [
        name,
        (app: App) => make(new Chart(app, 'chart', { namespace: 'team' }), ours, { i: 0 }),
      ]),
    ),
    'a chart without a namespace': (app) => echoIn(new Chart(app, 'bare')),
    'Kafka in a chart without a namespace': (app) => kafkaIn(new Chart(app, 'streams'), 3),
    'a controller for each Service': (app) =>
      ['fsn1', 'nbg1'].map((location) => {
        const controller = HetznerCloud.loadBalancer({ location });
        return echoIn(new Chart(app, location), { name: `echo-${location}`, controller });
      }),
    'Kafka behind a controller without a class': (app) =>
      kafkaIn(new Chart(app, 'streams', { namespace: 'hetzner' }), 3, HetznerCloud.loadBalancer({ location: 'fsn1' })),
    "a controller of a user's own": (app) =>
      echoIn(new Chart(app, 'own'), { controller: { name: 'own', bind: () => ({ owner: 'own' }) } }),
    'two charts': (app) => [1, 2].map((i) => echoIn(new Chart(app, `chart-${i}`), { name: `echo-${i}` })),
  };

  const made = (make: (app: App) => unknown, props: ConstructorParameters<typeof App>[0] = {}) => {
    const app = new App(props);
    make(app);
    return app;
  };

  test.each([FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE])(
    'what was just written is what the app is: output type %i',
    (yamlOutputType) => {
      const services = Object.entries(apps).flatMap(([name, make]) =>
        inFolder((outdir) => {
          made(make, { outdir, yamlOutputType }).synth();
          const diff = LoadBalancerDiff.fromOutput(outdir, made(make));
          expect([name, diff.changes.filter(({ outcome }) => outcome !== KEPT)]).toEqual([name, []]);
          expect(diff.changes.map(({ ownerBefore }) => ownerBefore)).toEqual(
            diff.changes.map(({ ownerAfter }) => ownerAfter),
          );
          return diff.changes.map(({ service }) => service);
        }),
      );
      expect(services).toEqual(
        expect.arrayContaining(['default/echo', 'default/events-brokers-2', 'team/pinned', 'team/adopted']),
      );
    },
  );

  test('a Service that no construct made is compared by what it says', () =>
    inFolder((folder) => {
      const spec = { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb', ports: [{ port: 443 }] };
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'plain' }, spec };
      writeFileSync(join(folder, 'all.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service] }));
      const app = appWith((chart) => void new ApiObject(chart, 'Plain', service as never));
      expect(LoadBalancerDiff.fromOutput(join(folder, 'all.json'), app).changes).toMatchObject([
        { outcome: KEPT, service: 'default/plain', ownerAfter: 'aws-load-balancer-controller', path: 'edge/Plain' },
      ]);
      expect(LoadBalancerDiff.fromOutput(folder, new App(), true).changes).toMatchObject([
        { service: 'default/plain', path: `${join(folder, 'all.json')}:1` },
      ]);
    }));

  test('what is not there, or cannot be read, is refused', () =>
    inFolder((folder) => {
      const missing = join(folder, 'nowhere');
      expect(() => LoadBalancerDiff.fromOutput(missing, new App())).toThrow(
        `LoadBalancerDiff.fromOutput: path '${missing}' leads to no file and no folder; pass one that is there`,
      );
      mkdirSync(missing);
      expect(LoadBalancerDiff.fromOutput(missing, new App()).text()).toBe('no load balancer on either side\n');
      writeFileSync(join(missing, 'a.yaml'), 'kind: [');
      expect(() => LoadBalancerDiff.fromOutput(missing, new App())).toThrow(/a\.yaml:1: .*pass manifests that can be/);
    }));
});
