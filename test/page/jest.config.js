// The page of a report in a real Chromium: `npm run test:page` finds it.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/page/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 60_000,
  maxWorkers: 1,
};
