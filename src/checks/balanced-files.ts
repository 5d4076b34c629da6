import type { Json } from '../contract/json';
import type { Later, ReportedService } from '../predicted/predicted';
import { laterServices } from '../predicted/predicted-services';
import { type Manifest, ManifestIndex } from '../rules/manifest-objects';
import type { CheckContext } from './context/check-context';
import { inferredContext } from './context/inference';
import type { Manifests } from './manifests';
import { type Found, OwnerFinder } from './owner-finder';

/** The load balanced Services of some files, and those that operators and controllers will make of them. */
export interface BalancedFiles {
  readonly manifests: readonly Manifest[];
  readonly later: Later;
  /** What the context file says, and what the objects show where it is silent. */
  readonly context: CheckContext;
  /** Every Service, those that are made later among them. */
  readonly services: readonly ReportedService[];
  /** The same with its owner; nothing for one without a balancer. */
  find(service: ReportedService): Found[];
}

/**
 * Looks for the load balanced Services of files, each of those that are made later by itself.
 *
 * @param older what is applied before them, where they are compared with that
 */
export function balancedIn(read: Manifests, written: CheckContext, older?: readonly Manifest[]): BalancedFiles {
  const { manifests } = read;
  const index = new ManifestIndex(manifests);
  const later = laterServices(manifests, true, older);
  const context = inferredContext(
    index,
    written,
    later.services.map((service) => index.entryOf(service)),
  );
  const finder = new OwnerFinder(
    context,
    manifests.map(({ object }) => object),
  );
  const services: readonly ReportedService[] = [
    ...manifests.filter(({ object }) => isService(object)),
    ...later.services,
  ];
  return { manifests, later, context, services, find: (service) => finder.reported(service) };
}

function isService({ apiVersion, kind }: Json): boolean {
  return apiVersion === 'v1' && kind === 'Service';
}
