import type { Ref } from './api';
import type { ControlPlane } from './control-plane';
import { until } from './wait';

export interface LifecycleOptions {
  /** Who must make the balancer. */
  readonly owner: string;
  /** The finalizers that must stand in the manifest, since only their owner's presence would add them later. */
  readonly declared: readonly string[];
  /** How long anything may take. @default 15 */
  readonly seconds?: number;
}

/**
 * Creates the Services among some objects, waits until their balancers are made by their owner and by nobody else, deletes
 * them, and waits until neither object nor balancer is left. Returns what went otherwise.
 */
export async function lifecycle(plane: ControlPlane, objects: Ref[], options: LifecycleOptions): Promise<string[]> {
  const services = objects.filter((object) => object.kind === 'Service');
  const problems = await Promise.all(services.map((service) => lived(plane, service, options)));
  return problems.flat();
}

/** Where a manifest declares other finalizers than its owner goes with: a cluster in which every owner runs repairs that. */
export function declarationFaults(service: Ref, { owner, declared }: LifecycleOptions): string[] {
  const written = [...(service.metadata.finalizers ?? [])].sort();
  return JSON.stringify(written) === JSON.stringify([...declared].sort())
    ? []
    : [
        `the manifest declares ${JSON.stringify(written)}, and its owner (${owner}) goes with ${JSON.stringify(declared)}`,
      ];
}

async function lived(plane: ControlPlane, service: Ref, options: LifecycleOptions): Promise<string[]> {
  const { api, ledger } = plane;
  const { owner, seconds } = options;
  const problems = declarationFaults(service, options);
  const name = `${service.metadata.namespace}/${service.metadata.name}`;
  const balancers = () => ledger.all.filter((entry) => entry.service === name);
  try {
    await api.create(service);
  } catch (error) {
    return [...problems, `the API server refuses it: ${(error as Error).message}`];
  }
  const or = (problem: string) => () => problems.push(problem);
  await until('a balancer', () => balancers().length > 0, { seconds }).catch(or('nobody made a balancer'));
  const strangers = balancers().filter((entry) => entry.owner !== owner);
  problems.push(...strangers.map((stranger) => `${stranger.owner} made a balancer, and not ${owner}`));
  await api.delete(service);
  const gone = async () => (await api.find(service)) === undefined;
  await until('the Service to go', gone, { seconds }).catch(async () => {
    const left = (await api.find(service))?.metadata.finalizers;
    problems.push(`the Service hangs in Terminating on ${JSON.stringify(left)}`);
  });
  await until('the balancer to go', () => balancers().length === 0, { seconds }).catch(or('the balancer is an orphan'));
  return problems;
}
