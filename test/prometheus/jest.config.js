// Alerts in Prometheus itself: `npm run test:prometheus` finds the promtool that evaluates them.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/prometheus/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 60_000,
  maxWorkers: 1,
};
