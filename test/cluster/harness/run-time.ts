import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedServicesAtRunTime } from '../../../src/tenancy/runtime/shared-services-at-run-time';
import type { Body, Ref } from './api';
import type { ControlPlane } from './control-plane';
import { DecoratorController } from './decorator-controller';
import { freePorts } from './free-port';
import { Program } from './program';

/** The program of Metacontroller; a stand-in works without. */
const REAL = process.env.METACONTROLLER;

/** What an app has made for Services that are created at run time. */
export interface RunTimeApp {
  readonly documents: Body[];
  readonly construct: SharedServicesAtRunTime;
}

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
