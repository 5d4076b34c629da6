import type { ILoadBalancerController } from '../../../src';
import type { Change } from '../../../src/lifecycle/change-cases';
import { changeAnswer } from '../../../src/lifecycle/changes';
import { OWNERS } from '../../../src/lifecycle/owners';
import { casesIn } from '../../support/yaml-cases';
import type { Declared, Fate, PairWriter } from './pair';

/** A cluster, and Services as one of its controllers wants them. */
export interface PairPlatform {
  /** Whose Services they are; the name of the owner in the model. */
  readonly owner: string;
  /** Who runs there. */
  readonly installed: readonly ILoadBalancerController[];
  readonly class?: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** The owner's finalizer, where a manifest may have it. */
  readonly finalizer?: string;
  /** Whether the owner has a finalizer that no manifest may have. */
  readonly leftToOwner?: true;
  /** Annotations that none of its Services has, and what becomes of a balancer whose Service gets them. */
  readonly added: readonly (readonly [key: string, value: string, fate: Fate])[];
  /** What plays the owner where there is a real API server. */
  readonly runs?: 'the real service controller' | 'a model of the owner';
}

/** Clusters of several kinds. */
export const PAIR_PLATFORMS: readonly PairPlatform[] = casesIn(__dirname, 'platforms.yaml');

// What the model of lifecycles says, searched here and not read from its generated table.

interface Asked {
  readonly owner: string;
  readonly writer: PairWriter;
  readonly declared: Declared;
  readonly change: Change;
}

const known = new Map<string, Fate>();

/** What becomes of a balancer by the model, the worst of all interleavings without a fault. */
export function fateByModel(asked: Asked): Fate {
  const key = JSON.stringify(asked);
  const fate = known.get(key) ?? searched(asked);
  known.set(key, fate);
  return fate;
}

function searched({ owner: name, writer, declared, change }: Asked): Fate {
  const owner = OWNERS.find((one) => one.name === name && one.byAnnotation !== true);
  if (!owner) throw new Error(`the model has no ${name}`);
  const after = change === 'finalizer dropped' ? 'left' : declared;
  const found = changeAnswer({ owner, beside: owner.beside[0], writer, change, before: declared, after });
  const outcome = found?.outcome;
  switch (outcome) {
    case 'kept':
    case 'deleted':
    case 'replaced':
    case 'orphaned':
    case 'stuck':
    case 'refused':
      return outcome;
    case 'interrupted':
      return 'kept';
    // the writer and the owner go on about the finalizer, and the balancer is gone
    case 'unfinished':
      return 'deleted';
    default:
      throw new Error(`${name}, ${change}: the model says ${outcome}`);
  }
}
