import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { isLive } from '../../installations/served-services';
import { Judgement } from '../../rules/judgement';
import type { IndexedObject } from '../../rules/objects';

/** Flags that the controller does without where its pods may read the metadata of their node. */
const FROM_METADATA: ReadonlySet<string> = new Set(['aws-region', 'vpc-id']);

/**
 * What is found of the AWS Load Balancer Controller in a file. Which pods can read the metadata of their node, no file shows, and
 * a manifest without a namespace is applied to the one of kubectl. One that is live has from elsewhere what its manifest lacks.
 */
export function asInFiles(controller: IndexedObject, { errors, warnings, unknown }: Judgement): Judgement {
  const isOpen = ({ ruleId, value }: LoadBalancerFinding) => FROM_METADATA.has(ruleId) && value === undefined;
  return new Judgement(
    errors.filter((finding) => !isOpen(finding)),
    [...warnings, ...(isLive(controller) ? [] : errors.filter(isOpen))],
    unknown,
  );
}
