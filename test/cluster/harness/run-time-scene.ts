import type { Api, Ref } from './api';
import { ControlPlane } from './control-plane';
import { definitionsFromFiles, definitionsOfGroup, install } from './custom-resources';
import { GatewayController } from './gateway-controller';
import { untilPoliciesHold } from './policies';
import { type Running, RunTime, type RunTimeApp } from './run-time';

const GATEWAY_KINDS = ['Gateway', 'GatewayClass', 'ListenerSet', 'TCPRoute', 'TLSRoute'];

/** Services that are published at run time, at a Gateway of which a stand-in is the controller. */
export class RunTimeScene {
  /** @param definitions those that the app needs beside the Gateway API */
  public static async start(
    made: RunTimeApp,
    tenants: readonly string[],
    definitions: readonly Ref[] = [],
  ): Promise<RunTimeScene> {
    const plane = await ControlPlane.start();
    try {
      return await RunTimeScene.on(plane, made, tenants, definitions);
    } catch (error) {
      await plane.stop();
      throw error;
    }
  }

  private static async on(
    plane: ControlPlane,
    made: RunTimeApp,
    tenants: readonly string[],
    definitions: readonly Ref[],
  ): Promise<RunTimeScene> {
    const { api } = plane;
    await install(api, definitionsOfGroup('sigs.k8s.io/gateway-api', 'gateway.networking.k8s.io', ...GATEWAY_KINDS));
    await install(api, [...definitions, ...definitionsFromFiles('metacontroller.k8s.io')]);
    await plane.startManager();
    for (const name of ['infra', 'metacontroller', ...tenants]) {
      const labels = { 'cdk8s-load-balancers/tenant': 'true' };
      const metadata = { name, ...(tenants.includes(name) && { labels }) };
      await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata });
    }
    const listeners = [{ name: 'own', port: 65535, protocol: 'TCP' }];
    await api.create({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'shared', namespace: 'infra' },
      spec: { gatewayClassName: 'stand-in', allowedListeners: { namespaces: { from: 'All' } }, listeners },
    });
    for (const document of made.documents.filter(({ kind }) => kind !== 'DecoratorController')) {
      await api.apply(document as Ref, { force: true });
    }
    await untilPoliciesHold(api);
    const gateways = new GatewayController(api);
    const runTime = await RunTime.of(plane);
    return new RunTimeScene(plane, gateways, [await runTime.startHook(made), await runTime.startController(made)]);
  }

  public readonly api: Api;

  private constructor(
    public readonly plane: ControlPlane,
    private readonly gateways: GatewayController,
    private readonly running: readonly Running[],
  ) {
    this.api = plane.api;
  }

  public async stop(): Promise<void> {
    for (const one of [...this.running].reverse()) {
      await one.stop();
    }
    await this.gateways.stop();
    await this.plane.stop();
  }
}
