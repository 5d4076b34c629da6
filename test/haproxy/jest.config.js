// HAProxy itself on the objects of a shared load balancer: `npm run test:haproxy` finds or builds what they need.
const { jest } = require('../../package.json');

// what `npm run test:haproxy` says before it begins
const leftOut = process.env.HAPROXY_WITH_BANDWIDTH ? [] : ['/test/haproxy/bandwidth'];

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/haproxy/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...leftOut],
  testTimeout: 60_000,
  setupFilesAfterEnv: ['<rootDir>/test/setup/tried-twice.cjs'],
  maxWorkers: 1,
};
