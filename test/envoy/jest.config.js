// Envoy Gateway and Envoy on the objects of shared load balancers: `npm run test:envoy` finds or builds what they need.
const { jest } = require('../../package.json');

// what `npm run test:envoy` says before it begins
const leftOut = [
  ...(process.env.HAPROXY ? [] : ['/test/envoy/behind-a-balancer', '/test/envoy/loss-of-a-node']),
  ...(process.env.KAFKA_LEFT_OUT ? ['/test/envoy/behind-a-balancer.kafka'] : []),
];

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/envoy/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...leftOut],
  testTimeout: 120_000,
  setupFilesAfterEnv: ['<rootDir>/test/setup/tried-twice.cjs'],
  maxWorkers: 1,
};
