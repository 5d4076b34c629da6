const { jest: common } = require('../../package.json');

const {
  SUITE: suite,
  HAPROXY,
  HAPROXY_WITH_BANDWIDTH,
  KAFKA_LEFT_OUT,
  REAL_RULES_LEFT_OUT,
  STRIMZI_LEFT_OUT,
} = process.env;
const triedTwice = { setupFilesAfterEnv: ['<rootDir>/test/setup/tried-twice.cjs'] };

/** Suites that differ from the rest. */
const OTHER = {
  // each file has a control plane of its own
  cluster: { testTimeout: 300_000, maxWorkers: 2 },
  aws: { testTimeout: 300_000 },
  envoy: { testTimeout: 120_000, ...triedTwice },
  haproxy: triedTwice,
  kyverno: { testTimeout: 300_000 },
  package: { testTimeout: 120_000 },
  // renderers run one after the other in each file
  renderers: { maxWorkers: 2 },
  site: { testTimeout: 300_000 },
};

/** Tests that suites leave out for lack of a program, which they report. */
const LEFT_OUT = [
  [STRIMZI_LEFT_OUT, '/test/cluster/strimzi/'],
  [REAL_RULES_LEFT_OUT, '/test/cluster/real-rules'],
  [!HAPROXY, '/test/envoy/behind-a-balancer'],
  [!HAPROXY, '/test/envoy/loss-of-a-node'],
  [KAFKA_LEFT_OUT, '/test/envoy/behind-a-balancer.kafka'],
  [!HAPROXY_WITH_BANDWIDTH, '/test/haproxy/bandwidth'],
];

module.exports = {
  ...common,
  rootDir: '../..',
  testMatch: [`<rootDir>/test/${suite}/**/*.test.ts`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...LEFT_OUT.filter(([left]) => left).map(([, path]) => path)],
  testTimeout: 60_000,
  maxWorkers: 1,
  ...OTHER[suite],
};
