import { ControlPlane } from '../real/control-plane';
import { customResourceDefinitions, install } from '../real/objects';
import { expanded } from '../real/policies';
import { casesIn } from '../support/yaml-cases';
import { claimsOfWorkloadRules, heldAgainst, type Subject } from './harness/mutants';

// Every rule that speaks for the API server, against the API server: right objects with one or two changes are sent to it under
// strict field validation, and the check is asked about the same objects as YAML. What it says to be refused must be refused,
// and nearly all that is refused must be foreseen. MUTANTS says how many for each group of kinds, MUTANT_SEED which.

const { services, workloads, gateways } = expanded(casesIn(__dirname, 'mutants.yaml')) as Record<string, Subject[]>;

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, customResourceDefinitions(['sigs.k8s.io/gateway-api']));
});

afterAll(() => plane?.stop());

const OF_CLUSTER = 'what the cluster is configured with is not known to a file';

heldAgainst(() => plane.api, 'Services', services, 0.95, [
  { refusal: /not in the valid range|failed to allocate|provided port is not|not configured/, why: OF_CLUSTER },
  { refusal: /bits set beyond|leading 0s/, why: 'what is an address before Kubernetes 1.36 is one for the rules' },
  {
    refusal: /spec\.ports: Required value/,
    why: 'a Service with labels or annotations, and with none of ports, selector and clusterIP, is taken for a patch',
  },
]);
heldAgainst(() => plane.api, 'workloads behind Services', workloads, 0.95, [], claimsOfWorkloadRules);
heldAgainst(() => plane.api, 'kinds of the Gateway API', gateways, 0.95, []);
