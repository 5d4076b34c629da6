// The stories with the real AWS cloud controller manager: `npm run test:aws` builds what they need.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/aws/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
