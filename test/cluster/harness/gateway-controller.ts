import { type Api, ApiRefusal, type Body } from './api';
import { pause } from './wait';

const GROUP = '/apis/gateway.networking.k8s.io/v1';

/**
 * A stand-in for the controller of a Gateway: it says of everything that it did its part, and nothing of two listeners
 * that want one TCP port, like some real ones. It takes its time where it is told to.
 */
export class GatewayController {
  /** Whether it does anything. */
  public isAtWork = true;
  private isRunning = true;
  private readonly done: Promise<void>;
  private failure?: Error;
  private readonly seen = new Map<string, number>();

  public constructor(private readonly api: Api) {
    this.done = this.run().catch((error) => {
      this.failure = error;
    });
  }

  public async stop(): Promise<void> {
    this.isRunning = false;
    await this.done;
    if (this.failure) {
      throw this.failure;
    }
  }

  private async run(): Promise<void> {
    while (this.isRunning) {
      if (this.isAtWork) {
        await this.see('gateways', (gateway) => ({
          addresses: [{ type: 'Hostname', value: 'shared.elb.example.com' }],
          conditions: conditions(gateway, 'Accepted', 'Programmed'),
        }));
        await this.see('listenersets', (set) => ({
          conditions: conditions(set, 'Accepted', 'Programmed'),
          listeners: set.spec.listeners.map(({ name }: Body) => ({
            name,
            attachedRoutes: 1,
            conditions: conditions(set, 'Accepted', 'Programmed', 'ResolvedRefs'),
          })),
        }));
        for (const routes of ['tcproutes', 'tlsroutes']) {
          await this.see(routes, (route) => ({
            parents: (route.spec.parentRefs ?? []).map((parentRef: Body) => ({
              parentRef,
              controllerName: 'example.com/stand-in',
              conditions: conditions(route, 'Accepted', 'ResolvedRefs'),
            })),
          }));
        }
      }
      await pause(50);
    }
  }

  private async see(resource: string, statusOf: (object: Body) => Body): Promise<void> {
    const { items } = await this.api.call('GET', `${GROUP}/${resource}`);
    const news = (items as Body[]).filter(({ metadata }) => this.seen.get(metadata.uid) !== metadata.generation);
    for (const object of news) {
      const { name, namespace, uid, generation } = object.metadata;
      const path = `${GROUP}/namespaces/${namespace}/${resource}/${name}/status`;
      const patch = { status: statusOf(object) };
      await this.api.call('PATCH', path, patch, 'application/merge-patch+json').then(
        () => this.seen.set(uid, generation),
        (error) => {
          if (!(error instanceof ApiRefusal && error.status === 404)) {
            throw error;
          }
        },
      );
    }
  }
}

function conditions({ metadata }: Body, ...types: string[]): Body[] {
  return types.map((type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    observedGeneration: metadata.generation,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
}
