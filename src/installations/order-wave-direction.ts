import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { objectsIn } from './app-services';
import { SYNC_WAVE } from './order.facts';
import { type Server, serversIn } from './order-direction';
import { someOf } from './some-of';

/** The warning about a controller that is no wave ahead of what it serves. */
export const ORDER_WAVES = {
  id: 'order-waves',
  severity: 'warning',
  says: 'A controller is in an earlier wave than what it serves.',
} as const;

/** The wave that an object says; nobody renders it for that: to render an object that is judged here would judge again. */
export function saidWave({ metadata }: ApiObject): unknown {
  return metadata.toJson()?.annotations?.[SYNC_WAVE];
}

/** The latest wave of what a construct writes; what writes nothing by itself is in that of its scope. */
function waveOf({ node }: IConstruct): number | undefined {
  const inside = [...node.scopes].reverse().map(objectsIn);
  const objects = inside.find((found) => found.length > 0) ?? [];
  const waves = objects.map((object) => Number(saidWave(object) ?? Number.NaN));
  const known = waves.filter((wave) => !Number.isNaN(wave));
  return known.length === 0 ? undefined : Math.max(...known);
}

/** What an installation serves and outlives, by the waves of both. */
function outlivedBy({ installation, served }: Server, everything: readonly IConstruct[]): IConstruct[] {
  const own = waveOf(installation);
  return served(everything).filter((construct) => {
    const wave = waveOf(construct);
    return own !== undefined && wave !== undefined && own < wave;
  });
}

/**
 * Warnings about installations that are in no earlier wave than what they serve, whichever orders or patches put them there.
 *
 * @param construct the construct that holds the installations
 * @param who the name of the order in messages
 */
export function inTooLateWaves(construct: IConstruct, who: string): LoadBalancerFinding[] {
  const everything = [construct.node.root];
  const inTime = new Set(serversIn(everything).flatMap((server) => outlivedBy(server, everything)));
  return serversIn([construct]).flatMap(({ installation, served }) => {
    const own = waveOf(installation);
    const late = served(everything).filter(
      (each) => own !== undefined && waveOf(each) !== undefined && !inTime.has(each),
    );
    return late.length === 0
      ? []
      : [
          {
            ruleId: ORDER_WAVES.id,
            who,
            what: `${installation.node.path} is in wave ${own}, and what it serves is not in a later one (${someOf(late.map((each) => `${each.node.path} in wave ${waveOf(each)}`))}): on deletion the controller does not outlive it`,
            remedy:
              'put the installation into a stage before, or acknowledge it where the two are of different applications of Argo CD',
            value: String(own),
          },
        ];
  });
}
