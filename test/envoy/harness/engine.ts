import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVOY_GATEWAY_NAMESPACE } from '../../../src/tenancy/engines/envoy-gateway/facts';
import { GATEWAY_API } from '../../../src/tenancy/tenancy.facts';
import type { Api, Body, Ref } from '../../real/api';
import { ControlPlane } from '../../real/control-plane';
import { addNode, customResourceDefinitions, install } from '../../real/objects';
import { type Program, until } from '../../real/program';
import { type Envoy, startEnvoyGateway } from './envoy';
import { Kubelet, type KubeletProps } from './kubelet';
import { ENVOY_GATEWAY_ADDRESS, prepareNetwork } from './network';

/** Controllers of Kubernetes itself that make pods of workloads, tell where Services are, and guard disruptions. */
const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'endpointslice-controller',
  'disruption-controller',
];

/** Two zones, as two nodes have them. */
export const NODES = ['node-a', 'node-b'] as const;

/** As much of DNS as the pods of proxies need: the name of Envoy Gateway's Service, with the dot at its end, and no server. */
const DNS = {
  hosts: `127.0.0.1 localhost\n${ENVOY_GATEWAY_ADDRESS} envoy-gateway.${ENVOY_GATEWAY_NAMESPACE}.svc.cluster.local.\n`,
  'resolv.conf': '',
};

export interface EngineProps {
  readonly behaviour?: KubeletProps['behaviour'];
  /** More of the configuration of Envoy Gateway. */
  readonly configuration?: object;
}

function envoyBinary(): string {
  const file = process.env.ENVOY;
  if (!file) {
    throw new Error('there is no Envoy to start: run `npm run test:envoy`, which fetches it');
  }
  return file;
}

/**
 * The engine as it runs in a cluster: the API server and controllers of Kubernetes, Envoy Gateway, and of each Gateway as many
 * Envoys as its Deployment wants, each with what its pod says. Nodes are played, and so are the programs of tenants.
 */
export class Engine {
  public static async start(props: EngineProps = {}): Promise<Engine> {
    prepareNetwork();
    // each program has one
    process.setMaxListeners(1000);
    const plane = await ControlPlane.start();
    try {
      const { api, folder } = plane;
      // the controller of quotas counts kinds that it knows from its beginning, and others minutes later
      await install(api, customResourceDefinitions(['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/gateway']));
      await Promise.all([
        plane.startManager(undefined, CONTROLLERS),
        ...NODES.map((name, index) => addNode(api, name, { labels: labelsOf(name, index) })),
      ]);
      const gateway = await startEnvoyGateway(plane, props.configuration);
      const etc = join(folder, 'etc');
      mkdirSync(etc);
      for (const [name, text] of Object.entries(DNS)) {
        writeFileSync(join(etc, name), text);
      }
      const pods = join(folder, 'pods');
      mkdirSync(pods);
      const kubelet = new Kubelet({
        ...{ api, etc, nodes: NODES, folder: pods, behaviour: props.behaviour },
        programs: { envoy: envoyBinary(), 'envoy-gateway': process.env.ENVOY_GATEWAY ?? '' },
      });
      kubelet.start();
      return new Engine(plane, kubelet, gateway);
    } catch (error) {
      await plane.stop();
      throw error;
    }
  }

  private constructor(
    public readonly plane: ControlPlane,
    public readonly kubelet: Kubelet,
    public readonly gateway: Program,
  ) {}

  public get api(): Api {
    return this.plane.api;
  }

  public async stop(): Promise<void> {
    try {
      await this.kubelet.stop();
    } finally {
      await this.gateway.kill();
      await this.plane.stop();
    }
  }

  /** The proxies of a Gateway, in the order of their names, when there are so many that are ready. */
  public async envoys(gateway: string, count: number): Promise<Envoy[]> {
    return until(
      `${count} proxies of ${gateway} to be ready`,
      async () => {
        const of = [...this.kubelet.envoys.values()].filter(
          ({ pod }) => pod.metadata.labels['gateway.envoyproxy.io/owning-gateway-name'] === gateway,
        );
        const ready = await Promise.all(of.map((each) => each.isReady()));
        return of.length === count && ready.every((each) => each) && of.sort((a, b) => (a.name < b.name ? -1 : 1));
      },
      {
        seconds: 60,
        seen: () => [...this.kubelet.envoys.values()].map(({ name, log }) => ({ name, log: log.slice(-2000) })),
      },
    );
  }

  /** Waits until all proxies of a Gateway listen at some ports. */
  public async listening(envoys: readonly Envoy[], ports: readonly number[]): Promise<void> {
    for (const envoy of envoys) {
      await until(
        `${envoy.name} to listen at ${ports.join(', ')}`,
        async () => {
          const found = await envoy.ports();
          return ports.every((port) => found.includes(port));
        },
        { seen: () => envoy.ports() },
      );
    }
  }

  /** Gives the Service of a Gateway an address, as the controller of its class does. */
  public async publish(service: Ref, hostname: string): Promise<void> {
    await this.api.merge(service, { status: { loadBalancer: { ingress: [{ hostname }] } } }, { subresource: 'status' });
  }

  /** The conditions of an object of the Gateway API by type, those of a listener if one is named. */
  public async conditions(ref: Ref, listener?: string): Promise<Record<string, string>> {
    const { status = {} } = await this.api.get(ref);
    const of: Body =
      listener === undefined ? status : (status.listeners?.find((each: Body) => each.name === listener) ?? {});
    return Object.fromEntries((of.conditions ?? []).map((each: Body) => [each.type, `${each.status} ${each.reason}`]));
  }
}

function labelsOf(name: string, index: number): Record<string, string> {
  return { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${'ab'[index]}` };
}

/** Names an object of the Gateway API. */
export function gatewayRef(kind: string, namespace: string, name: string): Ref {
  return { apiVersion: `${GATEWAY_API.group}/v1`, kind, metadata: { name, namespace } };
}
