// Workflow files against a linter that knows them: `npm run test:workflows` builds what they need.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/workflows/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};
