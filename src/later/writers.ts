import { compareVersions } from '../contract/compare-versions';
import { KAFKA_KIND } from '../kafka/strimzi/operator-services.facts';
import { SERVER_SIDE_APPLY_SINCE } from '../kafka/strimzi/strimzi.facts';
import { OPERATOR } from '../kafka/strimzi/upgrades.facts';
import type { ReportedService } from './later';

/** How a Service is written by what makes it: as whole objects, or by server-side apply. */
export type MakerWrites = 'put' | 'server-apply';

/** Versions of what runs in a cluster, by name. */
interface Versions {
  readonly versions?: Readonly<Record<string, string>>;
}

/**
 * How an operator writes the Services that it makes: all ways that it may be where that is not known, and none for a Service that is
 * written in a manifest.
 */
export function makerWrites({ madeOf }: ReportedService, { versions = {} }: Versions): readonly MakerWrites[] {
  if (!madeOf) {
    return [];
  }
  if (madeOf.object.kind !== KAFKA_KIND) {
    // envoyproxy/gateway v1.9.1, internal/infrastructure/kubernetes/infra_client.go
    return ['server-apply'];
  }
  const version = versions[OPERATOR.name];
  if (version === undefined) {
    return ['put', 'server-apply'];
  }
  return [compareVersions(version, SERVER_SIDE_APPLY_SINCE) < 0 ? 'put' : 'server-apply'];
}
