// The packed library in the project of a user: `npm run test:package` makes it.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/package/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
