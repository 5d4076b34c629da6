import type { Json } from '../../contract/json';
import type { CrdFact } from './crd-fact';
import { crdManifest } from './crd-manifest';
import type { Part } from './part';

/** The kinds that some parts of the controller need. */
export function crdsOf(parts: ReadonlySet<Part>): Json[] {
  return crdFacts(parts).map(crdManifest);
}

/** The tables are long, and most programs that load this package install no controller: they are read when asked for. */
export function crdFacts(parts: ReadonlySet<Part>): CrdFact[] {
  const { ELBV2_CRDS } = require('./elbv2-crds.facts') as typeof import('./elbv2-crds.facts');
  const facts = ELBV2_CRDS.filter(({ part }) => parts.has(part));
  if (parts.has('gateway')) {
    const { GATEWAY_CRDS } = require('./gateway-crds.facts') as typeof import('./gateway-crds.facts');
    facts.push(...GATEWAY_CRDS);
  }
  if (parts.has('global-accelerator')) {
    const { GLOBAL_ACCELERATOR_CRDS } =
      require('./global-accelerator-crds.facts') as typeof import('./global-accelerator-crds.facts');
    facts.push(...GLOBAL_ACCELERATOR_CRDS);
  }
  return facts;
}
