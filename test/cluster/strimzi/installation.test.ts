import { App, Chart } from 'cdk8s';
import { StrimziCrds } from '../../../src/installations/strimzi/crds';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/installation';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { LoadBalancers } from '../../../src/rules/load-balancers';
import type { Ref } from '../../real/api';
import { ControlPlane } from '../../real/control-plane';
import {
  customResourceDefinitions,
  ensureNamespaces,
  install,
  isDefinition,
  lacksOfForeignDefinitions,
  lacksOfInstallation,
  runExample,
} from '../../real/objects';
import { count } from '../../real/program';
import { stderrOf, synth } from '../../support/apps';
import { strimziDefinitionsFile } from '../harness/strimzi';
import { RELEASES } from '../models/strimzi';

// The operator with Strimzi's own definitions, written by its installation; and the whole of examples/platform under them.

/** The release that examples/platform is written for. */
const OF_PLATFORM = '1.2.0';

function installationOf(release: string): Ref[] {
  const chart = new Chart(new App(), 'strimzi', { namespace: 'strimzi' });
  new StrimziClusterOperatorInstallation(chart, 'Operator', {
    version: StrimziVersion.of(release),
    watchNamespaces: ['kafka'],
    crds: StrimziCrds.fromFile(strimziDefinitionsFile(release)),
  });
  LoadBalancers.of(chart).acknowledge('strimzi-vulnerability', 'older releases are tried here');
  let objects: Ref[] = [];
  expect(
    stderrOf(() => {
      objects = synth(chart) as Ref[];
    }),
  ).toBe('');
  return objects;
}

describe.each(RELEASES)('the operator of Strimzi %s', (release) => {
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
  });

  afterAll(() => plane?.stop());

  test('is taken as written, with its definitions', async () => {
    const objects = installationOf(release);
    expect(objects.filter(isDefinition)).toHaveLength(10);
    await ensureNamespaces(plane.api, objects);
    expect(await lacksOfInstallation(plane.api, objects, lacksOfForeignDefinitions)).toEqual([]);
    count('objects of installations accepted', objects.length);
  });
});

test('examples/platform is taken as written, from the first object to the last', async () => {
  const plane = await ControlPlane.start();
  try {
    await install(plane.api, [
      ...customResourceDefinitions(['github.com/cert-manager/cert-manager']),
      ...installationOf(OF_PLATFORM).filter(isDefinition),
    ]);
    const { files } = runExample('platform');
    for (const chart of ['system', 'strimzi', 'kafka', 'edge']) {
      const objects = files[`platform-${chart}.k8s.yaml`];
      expect(await lacksOfInstallation(plane.api, objects)).toEqual([]);
      count('objects of installations accepted', objects.length);
    }
    expect(Object.keys(files)).toHaveLength(4);
  } finally {
    await plane.stop();
  }
});
