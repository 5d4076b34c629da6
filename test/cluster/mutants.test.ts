import { ControlPlane } from './harness/control-plane';
import { customResourceDefinitions, install } from './harness/custom-resources';
import { heldAgainst } from './harness/mutants';
import { GATEWAY_SUBJECTS, SERVICE_SUBJECTS, WORKLOAD_SUBJECTS } from './models/mutant-subjects';

// Every rule that speaks for the API server, against the API server: right objects with one or two changes are sent to it under
// strict field validation, and the check is asked about the same objects as YAML. What it says to be refused must be refused,
// and nearly all that is refused must be foreseen. MUTANTS says how many for each group of kinds, MUTANT_SEED which.

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, customResourceDefinitions(['sigs.k8s.io/gateway-api']));
});

afterAll(() => plane?.stop());

heldAgainst(() => plane.api, 'Services', SERVICE_SUBJECTS, 0.95, []);
heldAgainst(() => plane.api, 'workloads behind Services', WORKLOAD_SUBJECTS, 0.95, []);
heldAgainst(() => plane.api, 'kinds of the Gateway API', GATEWAY_SUBJECTS, 0.95, []);
