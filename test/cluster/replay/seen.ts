import type { State } from '../../../src/lifecycle/state';
import type { Body } from '../harness/api';
import type { Stage } from './stage';

/** What can be seen of a life from outside of its programs. */
export type Seen = Readonly<Record<string, string>>;

const FOREGROUND = 'foregroundDeletion';

/** What the model says is to be seen. */
export function expectedOf({ scenario, playing }: Pick<Stage, 'scenario' | 'playing'>, state: State): Seen {
  const { object, own, other, collected, address, asks, namespace, parent, balancer, leftover } = state;
  const finalizer = (value: string) => (scenario.writer === 'server-apply' || value === 'absent' ? value : 'held');
  const left = leftover === 'none' ? 'none' : 'made';
  const isMade = balancer === 'made' || left === 'made';
  return {
    object,
    ...(object === 'absent'
      ? { balancers: isMade ? 'made' : 'none' }
      : {
          own: finalizer(own),
          other: finalizer(other),
          collected,
          address,
          asks,
          balancer,
          ...(playing.byUid ? { leftover: left } : {}),
        }),
    ...(scenario.ending === 'namespace' ? { namespace } : {}),
    ...(scenario.ending?.startsWith('parent') ? { parent } : {}),
  };
}

/** What is to be seen. */
export async function seenOf(stage: Stage): Promise<Seen> {
  const { api, scenario, playing, place, scene } = stage;
  const found = await api.find(stage.ref);
  const entries = scene.plane.ledger.all.filter(({ service }) => service === place);
  const made = (is: boolean) => (is ? 'made' : 'none');
  return {
    object: found === undefined ? 'absent' : found.metadata.deletionTimestamp ? 'dying' : 'live',
    ...(found === undefined
      ? { balancers: made(entries.length > 0) }
      : {
          own: finalizerOf(found, stage.own, stage),
          other: finalizerOf(found, stage.other, stage),
          collected: found.metadata.finalizers?.includes(FOREGROUND) ? 'yes' : 'no',
          address: found.status.loadBalancer?.ingress?.length > 0 ? 'yes' : 'no',
          asks: asksOf(found, stage),
          balancer: made(entries.some(({ uid }) => !playing.byUid || uid === found.metadata.uid)),
          ...(playing.byUid ? { leftover: made(entries.some(({ uid }) => uid !== found.metadata.uid)) } : {}),
        }),
    ...(scenario.ending === 'namespace' ? { namespace: await namespaceOf(stage) } : {}),
    ...(scenario.ending?.startsWith('parent') ? { parent: await parentOf(stage) } : {}),
  };
}

function asksOf({ spec }: Body, { playing, scenario }: Stage): string {
  if (spec.type !== 'LoadBalancer') {
    return scenario.owner.byAnnotation ? 'in vain' : 'nothing';
  }
  return spec.loadBalancerClass === playing.spec.loadBalancerClass ? 'owner' : 'another';
}

/** Whether the finalizer is there, and for a writer that applies on the server, who has it. */
function finalizerOf({ metadata }: Body, finalizer: string, { scenario }: Stage): string {
  if (!metadata.finalizers?.includes(finalizer)) {
    return 'absent';
  }
  if (scenario.writer !== 'server-apply') {
    return 'held';
  }
  const holds = (operation: string) =>
    metadata.managedFields?.some(
      (each: Body) =>
        each.operation === operation && each.fieldsV1?.['f:metadata']?.['f:finalizers']?.[`v:"${finalizer}"`],
    );
  const [applied, held] = [holds('Apply'), holds('Update')];
  return applied && held ? 'both' : applied ? 'applied' : 'held';
}

async function namespaceOf({ api, namespace }: Stage): Promise<string> {
  const found = await api.find({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return found && !found.metadata.deletionTimestamp ? 'live' : 'dying';
}

async function parentOf({ api, parent }: Stage): Promise<string> {
  const found = await api.find(parent);
  return found === undefined ? 'gone' : found.metadata.deletionTimestamp ? 'leaving' : 'live';
}

/** Where two views differ. */
export function differences(expected: Seen, seen: Seen): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(seen)])];
  return names
    .filter((name) => expected[name] !== seen[name])
    .map((name) => `${name}: the model says ${expected[name]}, and it is ${seen[name]}`);
}
