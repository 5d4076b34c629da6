// Kustomizations and charts as kustomize and helm render them: `npm run test:renderers` builds both.
const { jest } = require('../../package.json');

module.exports = {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/renderers/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // renderers run one after the other in each file
  maxWorkers: 2,
};
