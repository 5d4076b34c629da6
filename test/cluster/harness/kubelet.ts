import type { Ref } from './api';
import type { ControlPlane } from './control-plane';
import { until } from './wait';

/** Ends a program when the object that runs it is gone, as a kubelet does: there is none here. */
export async function endWith(plane: ControlPlane, workload: Ref, program: string): Promise<void> {
  await until(`${workload.kind} ${workload.metadata.name} to go`, async () => !(await plane.api.find(workload)));
  await plane.program(program).stop();
}
