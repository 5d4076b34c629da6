import type { Json } from '../../contract/json';
import { namespaceIn } from '../../contract/object-title';
import { unquoted } from '../../contract/printable';
import { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import type { ReportedService } from '../../predicted/predicted';
import type { Manifest } from '../../rules/manifest-objects';
import { typedService } from '../../rules/service-fields';
import { isService } from '../../rules/service-json';
import type { CheckedObjects } from '../check';
import type { CheckContext } from '../context/check-context';
import { isLive } from '../duplicates';
import { type ExplainedService, explainService, nameOf } from './explained-service';
import { type LikelyCause, whyPending } from './likely-causes';
import { type Reported, reportedInWords, reportedOf } from './reported';
import { fullQuota } from './seen-in-dump';

/** All that is known of an object that Services are made of, such as a Kafka cluster. */
export interface ExplainedMaker {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly reported: readonly string[];
  /** Services that its operator makes, and that these files lack although they hold the object as a cluster has it. */
  readonly missing: readonly string[];
  readonly causes: readonly LikelyCause[];
  readonly services: readonly ExplainedService[];
}

export function explainMaker(
  { object, file, line }: Manifest,
  services: readonly ReportedService[],
  checked: CheckedObjects,
): ExplainedMaker {
  const { manifests, context } = checked;
  const objects = manifests.map((one) => one.object);
  const reported = reportedOf(object, objects);
  const missing =
    isLive(object) && objects.some(isService) ? services.filter(({ madeBy }) => madeBy !== undefined) : [];
  const { kind, metadata = {} } = object;
  return {
    kind: String(kind),
    namespace: namespaceIn(object),
    name: unquoted(metadata.name),
    file,
    line,
    reported: reported.map(reportedInWords),
    missing: missing.map((service) => nameOf(service.object)),
    causes: missing.length > 0 ? whyMissing(missing[0].object, reported, objects, context) : [],
    services: services.map((service) => explainService(service, checked)),
  };
}

/** A Service that an operator could not create was denied, unless the operator reports something else. */
function whyMissing(
  missing: Json,
  reported: readonly Reported[],
  objects: readonly Json[],
  { controllers }: CheckContext,
): LikelyCause[] {
  const { service } = typedService(missing);
  const owner = LoadBalancerOwner.of(service, { controllers: controllers && [...controllers] });
  const evidence = `Service ${nameOf(service)} is not in these files: its operator waits, or the API server refused it`;
  const denial = [fullQuota(service.metadata?.namespace, objects) ?? evidence];
  const causes = whyPending({ service, owner, reported, errors: [], warnings: [] });
  return causes
    .filter(({ id, isReported }) => id === 'denied' || isReported)
    .map((cause) => ({ ...cause, evidence: [...cause.evidence, ...(cause.id === 'denied' ? denial : [])] }));
}
