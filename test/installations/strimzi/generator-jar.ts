import { createHash } from 'node:crypto';

/** What a fake Maven hands out, known under its own hash: import this before what reads the hash. */
export const JAR = 'jar\n';

jest.mock('../../../src/checks/strimzi-crds.facts', () => ({
  ...jest.requireActual('../../../src/checks/strimzi-crds.facts'),
  CRD_GENERATOR_SHA256: createHash('sha256').update(JAR).digest('hex'),
}));
