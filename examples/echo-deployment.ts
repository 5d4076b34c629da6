import { type Chart, Size } from 'cdk8s';
import { Cpu, Deployment, Probe } from 'cdk8s-plus-34';

/** The workload that most examples balance: an echo server on port 8080. */
export function echoDeployment(chart: Chart, replicas = 3): Deployment {
  return new Deployment(chart, 'Echo', {
    metadata: { name: 'echo' },
    replicas,
    containers: [
      {
        name: 'echo',
        image: 'registry.example/echo:1.4.2',
        ports: [{ name: 'echo', number: 8080 }],
        readiness: Probe.fromTcpSocket({ port: 8080 }),
        resources: {
          cpu: { request: Cpu.millis(100), limit: Cpu.units(1) },
          memory: { request: Size.mebibytes(64), limit: Size.mebibytes(64) },
        },
      },
    ],
  });
}
