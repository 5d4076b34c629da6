import { App } from 'cdk8s';
import { inApp } from '../../scripts/docs/construct-examples';
import { ruleExamples } from '../../scripts/docs/rule-examples';
import { LoadBalancers, StrimziVersion } from '../../src';
import { allKinds } from '../../src/rules/known-kinds';
import { comparedApp, expectSame, type Pair } from '../support/compared';
import { goldenCharts } from '../support/goldens';

// What constructs write is right: a check of it finds nothing that their synth does not.

/** What a check finds in the output of right programs, and their synth does not. */
const ONLY_IN_OUTPUT: Readonly<Record<string, string>> = {
  'gateway-port-conflict': 'the shared load balancer reports the port that is taken',
  'kafka-listeners-missing': 'a bare Kafka is part of the example',
  'local-policy-without-pool': 'the place is in the EnvoyProxy, and a synth names that of the Service',
  'service-without-controller': 'the example has a Service of another controller',
  'strimzi-crds-missing': 'another installation writes the definitions',
};

test('a check of what constructs write finds what their synth finds', () => {
  const pairs = ruleExamples().flatMap(({ rule, section, programs }): Pair[] => {
    if (!programs || /\bstack\b/.test(programs.good.code) || programs.good.files['package.json']) return [];
    const [, minor = '1_2'] = /StrimziVersion[.]V(\d_\d+)/.exec(programs.good.code) ?? [];
    const strimzi = StrimziVersion.of(minor.replace('_', '.')).version;
    const look = (app: App) => {
      const owners = new Set(LoadBalancers.of(app).all.map(({ plan }) => plan.owner));
      const known = [...owners].filter((owner) => allKinds().some(({ name }) => name === owner));
      const controllers = known.length > 0 ? `controllers: [${known.join(', ')}]\n` : '';
      const found = comparedApp(app, `${controllers}strimzi: ${strimzi}`);
      return [
        { title: `${section}, ${rule}`, synth: [], check: found.check.filter((line) => !found.synth.includes(line)) },
      ];
    };
    return inApp(programs.good, look, (error) => {
      throw error;
    });
  });
  expectSame(pairs, { onlyInFiles: ONLY_IN_OUTPUT, onlyAtSynth: {} });
  expect(pairs.length).toBeGreaterThan(150);
});

/** Rules about what people write, which a construct asks for by its props. */
const OF_MANIFESTS: Readonly<Record<string, string>> = {
  'load-balancer-ip-deprecated': 'the controller writes the field for static addresses',
  'sensitive-port-public': 'the props ask for the scheme',
};

test('the synth of each golden finds what a check of it finds', () => {
  const pairs = Object.entries(goldenCharts).map(([title, chartOf]) => {
    const app = App.of(chartOf());
    const controllers = LoadBalancers.of(app).all.map(({ plan }) => plan.owner);
    return { title, ...comparedApp(app, `controllers: [${controllers.join(', ')}]`) };
  });
  expectSame(pairs, { onlyInFiles: OF_MANIFESTS, onlyAtSynth: {} });
  expect(pairs.flatMap(({ synth }) => synth).length).toBeGreaterThan(3);
});
