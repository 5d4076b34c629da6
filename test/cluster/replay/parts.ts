import type { Owner } from '../../../src/lifecycle/owners';
import type { Scenario } from '../../../src/lifecycle/scenario';
import type { Body } from '../../real/api';
import { AWS_RESOURCES, KEP_980 } from '../models/owners';
import type { Part } from './stage';

/** How an owner of the model is here: which program plays it, and what a Service has that is its. */
export interface Playing {
  readonly part: Part;
  readonly spec: Body;
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether its balancers are named after the UID of their Service. */
  readonly byUid: boolean;
}

const EXTERNAL = {
  'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
  'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
};
const REAL: Playing = { part: 'service-controller', spec: {}, annotations: {}, byUid: true };
const model = (part: Part, spec: Body, annotations = {}): Playing => ({ part, spec, annotations, byUid: false });

/** Who plays an owner; nothing where there is no program of it here. */
export function playingOf({ name, versions, isServiceController }: Owner): Playing | undefined {
  switch (name) {
    case 'aws-load-balancer-controller':
      return versions === 'by class'
        ? model('aws', { loadBalancerClass: 'service.k8s.aws/nlb' })
        : model('aws', {}, EXTERNAL);
    case 'eks-auto-mode':
      return model('eks', { loadBalancerClass: 'eks.amazonaws.com/nlb' });
    case 'metallb':
      return model('metallb', {});
    case 'gke':
    case 'service-controller':
    case 'openstack-cloud-controller-manager': // the cloud of the service controller here names balancers by UID
      return undefined;
    default:
      return isServiceController ? REAL : undefined;
  }
}

/** Who is beside the owner. */
export function besideOf({ beside = 'alone' }: Scenario): Part | undefined {
  switch (beside) {
    case 'service controller':
      return 'service-controller';
    case 'AWS Load Balancer Controller':
      return 'aws';
    case 'one of the same cluster name':
      return 'namesake';
    default:
      return undefined;
  }
}

/** A finalizer that the owner does not remove. */
export function otherFinalizer({ part }: Playing): string {
  return part === 'service-controller' ? AWS_RESOURCES : KEP_980;
}

const AGAIN = 'the program that plays this owner tries again by itself, where the model has it read again';

/** Rows that are not walked here, by their ids, and why. */
export const NOT_REPLAYED: readonly (readonly [RegExp, string])[] = [
  [/^service-controller-before-kep-980\./, 'no program of Kubernetes 1.14 runs here'],
  [/^service-controller-1\.15\./, 'no program of Kubernetes 1.15 runs here'],
  [/^gke\./, 'the program that plays owners patches the version that it read, and that of GKE does not'],
  [/^[\w-]+\.conflicts/, AGAIN],
  [/^owner\.looks-again$/, 'the time of a resync is not ours to choose'],
  [/^beside-namesake\.disturbs$/, 'the cloud of the program that plays the owner makes a balancer in one call'],
];

/** Ways that are left out, and why. */
export const NOT_ARRANGED: readonly string[] = [
  'a Service that is created again while its parent waits: the garbage collector has let the parent go by then',
  'a worker that finds a Service gone or changed which it has in its queue, unless it was refused: it would have to be busy',
  'an address that another controller has emptied since the owner read it: the owner writes nothing, and the model has it write',
  'what a program that plays an owner does by itself after a refusal or a lost answer, and what it removes while its watch lags',
  'an edit of a Service that asks for no balancer: the service controller ignores it, and the model has it look',
  'MetalLB that starts, ends or sees a Service of the same name: it has its addresses in its memory, and its program here has not',
];

/** Why a row is not replayed, if it is not. */
export function whyNot(id: string): string | undefined {
  return NOT_REPLAYED.find(([pattern]) => pattern.test(id))?.[1];
}

/** Whether the owner's process starts, ends or crashes in a trace: it is then the trace's own. */
export function needsOwnProcess({ turn }: Scenario, steps: readonly string[]): boolean {
  return turn === 'upgraded' || steps.some((id) => /^owner\.(crashes|starts|is-uninstalled)/.test(id));
}
