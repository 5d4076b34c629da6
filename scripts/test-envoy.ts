// What the real Envoy Gateway and real Envoys make of the objects of a shared load balancer: builds Envoy Gateway and a control
// plane, fetches the server of Envoy, and runs test/envoy with jest in a network of its own. HAProxy plays the balancer of a
// cloud in front of the proxies where it is installed; with a JDK and Maven beside it, real brokers of Kafka are behind them.
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { inOwnNetwork } from '../test/envoy/harness/network';
import { envoyEnvironment } from './suites/envoy-environment';
import { runJestLanes } from './suites/jest-lanes';
import { ONLY_SOME, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { kafkaTests } from './suites/kafka-tests';

const CONFIG = 'test/envoy/jest.config.js';

/** What takes longest, since it waits for a balancer, or counts connections for a while. */
const LONGEST = ['tenants', 'loss-of-a-node', 'behind-a-balancer.rollout'];

async function run(): Promise<Tally> {
  const env = await envoyEnvironment('test:envoy');
  if (!env.HAPROXY) {
    process.stdout.write('test:envoy left out the tests behind a balancer, which need haproxy 2.6 or newer\n');
  }
  const folder = newRunFolder();
  try {
    const kafka = kafkaTests('test:envoy', folder);
    process.stdout.write(kafka.leftOut ? `${kafka.leftOut}\n` : '');
    const suite = { config: CONFIG, folder, env: { ...env, ...kafka.env }, within: inOwnNetwork() };
    return await (ONLY_SOME
      ? runJestSuite(suite.config, folder, suite.env, suite.within)
      : runJestLanes({ ...suite, count: 2, first: LONGEST }));
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);
