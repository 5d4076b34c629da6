const { jest: common } = require('../../package.json');

// what `npm run test:cluster` says at its end
const leftOut = [
  ...(process.env.STRIMZI_LEFT_OUT ? ['/test/cluster/strimzi/'] : []),
  ...(process.env.REAL_RULES_LEFT_OUT ? ['/test/cluster/real-rules'] : []),
];

module.exports = {
  ...common,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...leftOut],
  testTimeout: 300_000,
  // each file has a control plane of its own
  maxWorkers: 2,
};
