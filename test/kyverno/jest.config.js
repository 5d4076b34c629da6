// Kyverno itself on the policies that are made for it: `npm run test:kyverno` builds what they need.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/kyverno/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
