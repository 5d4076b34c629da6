import { mapIn } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { isLive } from '../../installations/served-services';
import { Judgement } from '../../rules/judgement';
import type { IndexedObject } from '../../rules/objects';

/** Flags that the controller does without where its pods may read the metadata of their node. */
const FROM_METADATA: ReadonlySet<string> = new Set(['aws-region', 'vpc-id']);

/** What a kustomization adds to the manifest of a controller: what a file lacks of it may be elsewhere. */
const ADDED_LATER: ReadonlySet<string> = new Set(['webhook-certificate-mount']);

/**
 * What is found of the AWS Load Balancer Controller in a file. Which pods can read the metadata of their node, no file shows, and
 * a manifest without a namespace is applied to the one of kubectl. One that is live has from elsewhere what its manifest lacks.
 */
export function asInFiles(controller: IndexedObject, { errors, warnings, unknown }: Judgement): Judgement {
  const isOpen = ({ ruleId, value }: LoadBalancerFinding) =>
    (FROM_METADATA.has(ruleId) && value === undefined) || ADDED_LATER.has(ruleId);
  const { index, group, kind, namespace, name } = controller;
  // a Deployment without a selector is a patch
  const isPatched = index
    .named(group, kind, { namespace, name })
    .some(({ json }) => !('selector' in mapIn(json, 'spec')));
  const isAdded = ({ ruleId }: LoadBalancerFinding) => isPatched && ADDED_LATER.has(ruleId);
  const kept = errors.filter((finding) => !isAdded(finding));
  return new Judgement(
    kept.filter((finding) => !isOpen(finding)),
    [...warnings, ...(isLive(controller) ? [] : kept.filter(isOpen))],
    unknown,
  );
}
