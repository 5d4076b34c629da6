import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import {
  Gateway,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  SharedServicesAtRunTime,
} from '../../../src';
import { SHARED_CLASS, SHARED_CONDITION } from '../../../src/tenancy/tenancy.facts';
import type { Api, Body, Ref } from '../../real/api';
import { ControlPlane } from '../../real/control-plane';
import { definitionsFromFiles, definitionsOfGroup, install } from '../../real/objects';
import { untilPoliciesHold } from '../../real/policies';
import { freePorts, Program, until } from '../../real/program';
import { lockedAsWished } from '../../tenancy/shared/locked';
import { DecoratorController, GatewayController } from './decorator-controller';
import { type Gates, Held } from './watching-proxy';

/** The program of Metacontroller; a stand-in works without. */
const REAL = process.env.METACONTROLLER;

/** What an app has made for Services that are created at run time. */
export interface RunTimeApp {
  readonly documents: Body[];
  readonly construct: SharedServicesAtRunTime;
}

/** What the platform team writes: a shared load balancer, what serves Services at run time, and the ports of tenants. */
export function runTimeApp(
  props: Partial<SharedLoadBalancerProps> & Pick<SharedLoadBalancerProps, 'engine'>,
  tenants: Readonly<Record<string, readonly [first: number, last: number]>>,
  beside: (platform: Chart) => void = () => undefined,
): RunTimeApp {
  const platform = new Chart(new App(), 'platform', { namespace: 'infra' });
  beside(platform);
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    hostname: 'tcp.example.com',
    portLock: lockedAsWished(),
    ...props,
  });
  for (const [name, [first, last]] of Object.entries(tenants)) {
    shared.addTenant(name, { runtimePorts: { first, last } });
  }
  const construct = new SharedServicesAtRunTime(platform, 'RunTime', { shared });
  const documents = (Testing.synth(platform) as Body[]).filter(({ metadata }) =>
    /^(shared-services|load-balancer-guard)/.test(metadata.name),
  );
  return { documents, construct };
}

/** Ranges of as many ports for each tenant, a hundred apart. */
export const portsOfEach = (tenants: readonly string[], count: number): Record<string, readonly [number, number]> =>
  Object.fromEntries(tenants.map((name, i) => [name, [31_000 + i * 100, 30_999 + i * 100 + count]]));

/** The Gateway of the scene, whose controller says nothing of conflicts. */
export const existingGateway = (routesBySni: boolean, maxListeners?: number) =>
  SharedLoadBalancerEngine.existingGateway({
    gateway: Gateway.fromName('shared', { namespace: 'infra', controllerName: 'example.com/stand-in' }),
    routesBySni,
    maxListeners,
  });

/** A Service of the shared class. */
export function sharedService(name: string, namespace: string, port: number, { annotations, ...spec }: Body = {}): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { [SHARED_CLASS]: 'true' }, ...(annotations && { annotations }) },
    spec: {
      type: 'LoadBalancer',
      loadBalancerClass: SHARED_CLASS,
      allocateLoadBalancerNodePorts: false,
      selector: { app: name },
      ports: [{ port, protocol: 'TCP' }],
      ...spec,
    },
  };
}

/** What the hook says of a Service. */
export const conditionOf = ({ status }: Body): Body | undefined =>
  (status.conditions ?? []).find(({ type }: Body) => type === SHARED_CONDITION);

const ROUTES = '/apis/gateway.networking.k8s.io/v1';

/** Listener sets or routes, of a namespace or of all. */
export async function routesIn(api: Api, kind: string, namespace?: string): Promise<Body[]> {
  return (await api.call('GET', `${ROUTES}${namespace ? `/namespaces/${namespace}` : ''}/${kind}`)).items;
}

/** The ports of all listeners, of a namespace or of all. */
export const portsOf = async (api: Api, namespace?: string): Promise<number[]> =>
  (await routesIn(api, 'listenersets', namespace)).flatMap(({ spec }) => spec.listeners.map(({ port }: Body) => port));

/** Waits until a Service has a condition of a reason. */
export const untilReason = (api: Api, ref: Ref, reason: string): Promise<Body> =>
  until(
    `${ref.metadata.namespace}/${ref.metadata.name} to be ${reason}`,
    async () => {
      const found = await api.get(ref);
      return conditionOf(found)?.reason === reason && found;
    },
    { seen: () => api.get(ref) },
  );

/** Waits until an object is gone. */
export const untilGone = (api: Api, ref: Ref) =>
  until(`${ref.metadata.name} to be gone`, async () => !(await api.find(ref)), { seen: () => api.find(ref) });

export interface Running {
  stop(): Promise<unknown>;
}

/** The hook as it is shipped, and the controller that calls it. */
export class RunTime {
  public static async of(plane: ControlPlane): Promise<RunTime> {
    const [port] = await freePorts(1);
    return new RunTime(plane, port);
  }

  private constructor(
    private readonly plane: ControlPlane,
    private readonly port: number,
  ) {}

  /** The hook as its Deployment runs it, with the files of its ConfigMap. */
  public startHook({ documents }: RunTimeApp): Promise<Program> {
    const { folder } = this.plane;
    const files: Record<string, string> = documents.find(({ data }) => data?.['hook.js'])?.data;
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text);
    }
    const container = ofKind(documents, 'Deployment').spec.template.spec.containers[0];
    const [, program, configuration] = (container.command as string[]).map((part) => part.replace(/^\/hook/, folder));
    return Program.start({
      name: 'hook',
      command: process.execPath,
      args: [program, configuration, String(this.port)],
      folder,
      isReady: () =>
        fetch(`http://127.0.0.1:${this.port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
    });
  }

  /** The controller, with the rights that the construct gives it and no others. */
  public async startController({ documents, construct }: RunTimeApp): Promise<Running> {
    const { api, folder, kubeconfig } = this.plane;
    const url = `http://127.0.0.1:${this.port}`;
    const text = JSON.stringify(documents.filter(({ kind }) => kind === 'DecoratorController'));
    const controllers: Ref[] = JSON.parse(text.replaceAll('http://shared-services.infra.svc', url));
    const hooked = documents.find(
      ({ kind, metadata }) => kind === 'Service' && metadata.name === 'shared-services',
    ) as Ref;
    await api.apply(hooked, { force: true });
    if (!REAL) {
      const as = api.actingAs(construct.controller.username);
      const standIns = controllers.map((document) => new DecoratorController(as, document));
      for (const one of standIns) {
        one.start();
      }
      return { stop: () => Promise.all(standIns.map((one) => one.stop())) };
    }
    for (const document of controllers) {
      await api.apply(document, { force: true });
    }
    const [metrics, health] = await freePorts(2);
    const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as Body;
    config.users[0].user.as = construct.controller.username;
    const own = join(folder, 'kubeconfig-of-metacontroller');
    writeFileSync(own, JSON.stringify(config), { mode: 0o600 });
    return Program.start({
      name: 'metacontroller',
      command: REAL,
      args: [
        ...construct.controllerArgs,
        `--metrics-address=127.0.0.1:${metrics}`,
        `--health-probe-bind-address=127.0.0.1:${health}`,
      ],
      folder,
      env: { KUBECONFIG: own },
      isReady: ({ log }) => log.includes('Starting DecoratorController'),
    });
  }
}

function ofKind(documents: readonly Body[], kind: string): Ref {
  return documents.find((one) => one.kind === kind) as Ref;
}

const GATEWAY_KINDS = ['Gateway', 'GatewayClass', 'ListenerSet', 'TCPRoute', 'TLSRoute'];

/** Definitions, namespaces and the Gateway at which Services are published. */
export async function prepareRunTime(
  plane: ControlPlane,
  tenants: readonly string[],
  definitions: readonly Ref[],
  labels: Body = {},
): Promise<void> {
  const { api } = plane;
  await install(api, definitionsOfGroup('sigs.k8s.io/gateway-api', 'gateway.networking.k8s.io', ...GATEWAY_KINDS));
  await install(api, [...definitions, ...definitionsFromFiles('metacontroller.k8s.io')]);
  await plane.startManager();
  for (const name of ['infra', 'metacontroller', ...tenants]) {
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
}

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
    await prepareRunTime(plane, tenants, definitions, { 'cdk8s-load-balancers/tenant': 'true' });
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

export const API_SERVER = 'API server';

/**
 * A webhook of the API server that is asked before a Service goes. It is asked after the API server has decided what to do with
 * the version that it read, and before it does it: that moment can be held.
 */
export class DeletionHook {
  public static async open(api: Api, folder: string, gates: Gates): Promise<DeletionHook> {
    const certificates = join(folder, 'certificates');
    const cert = readFileSync(join(certificates, 'apiserver.crt'));
    const hook = new DeletionHook(gates, cert, readFileSync(join(certificates, 'apiserver.key')));
    await new Promise<void>((resolve) => hook.server.listen(0, '127.0.0.1', resolve));
    await api.create({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'deletions' },
      webhooks: [
        {
          name: 'deletions.replay.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          timeoutSeconds: 30,
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations: ['DELETE'] }],
          clientConfig: {
            url: `https://127.0.0.1:${(hook.server.address() as AddressInfo).port}/`,
            caBundle: cert.toString('base64'),
          },
        },
      ],
    });
    return hook;
  }

  private readonly server: Server;
  /** Places at which removals wait. */
  private readonly armed = new Set<string>();

  private constructor(
    private readonly gates: Gates,
    cert: Buffer,
    key: Buffer,
  ) {
    this.server = createServer({ cert, key }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk);
      }
      const review = JSON.parse(Buffer.concat(chunks).toString());
      const { uid, namespace, oldObject } = review.request;
      // of a whole collection the request has no name
      const place = `${namespace}/${oldObject.metadata.name}`;
      if (this.armed.has(place)) {
        const held = new Held(API_SERVER, 'remove');
        response.once('close', () => held.done(0));
        await this.gates.pass(place, held);
      }
      const { apiVersion, kind } = review;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion, kind, response: { uid, allowed: true } }));
    });
  }

  /** From now on the API server waits before it removes a Service. */
  public arm(place: string): void {
    this.armed.add(place);
  }

  public disarm(place: string): void {
    this.armed.delete(place);
  }

  public async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Ends a program when the object that runs it is gone, as a kubelet does: there is none here. */
export async function endWith(plane: ControlPlane, workload: Ref, program: string): Promise<void> {
  await until(`${workload.kind} ${workload.metadata.name} to go`, async () => !(await plane.api.find(workload)));
  await plane.program(program).stop();
}
