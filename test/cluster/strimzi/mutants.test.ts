import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { ControlPlane } from '../../real/control-plane';
import { install } from '../../real/objects';
import { casesIn } from '../../support/yaml-cases';
import { claimsOfCheckFor, heldAgainst } from '../harness/mutants';
import { strimziDefinitions } from '../harness/strimzi';
import { RELEASES } from '../models/strimzi';

// Listeners of Kafka documents with one or two changes, against Strimzi's own definitions of each release: what the check says
// to be refused must be refused, and nearly all that is refused must be foreseen.

const { subjects } = casesIn(__dirname, 'mutants.yaml');

const OUT_OF_SCOPE = [
  { refusal: /networkPolicyPeers/, why: 'who may connect inside of the cluster is not about balancers' },
];

describe.each(RELEASES)('Strimzi %s', (release) => {
  const strimzi = StrimziVersion.of(release);
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    await install(plane.api, strimziDefinitions(release));
  });

  afterAll(() => plane?.stop());

  heldAgainst(() => plane.api, `listeners for ${release}`, subjects, 0.95, OUT_OF_SCOPE, claimsOfCheckFor(strimzi));
});
