import type { Citation } from '../contract/kubernetes.facts';
import { HCLOUD_CONTROLLER, HCLOUD_SOURCE } from './hetzner-cloud/annotations';

/** A balancer that stays in the cloud although its controller saw the deletion of its Service. */
export interface LeftBehind {
  /** When it stays, and what to do before. */
  readonly says: string;
  readonly source: Citation;
}

/** What controllers leave behind without an event, by their names. */
export const LEFT_BEHIND: Readonly<Record<string, LeftBehind>> = {
  [HCLOUD_CONTROLLER]: {
    says: `a balancer that is protected against deletion in Hetzner Cloud stays and is billed: ${HCLOUD_CONTROLLER} lets the Service go without an event; run hcloud load-balancer disable-protection ID delete before; up to v1.35.0 one that it adopted by its name from another Service stays too, for it keeps the label of that one`,
    source: { ...HCLOUD_SOURCE, file: 'hcloud/load_balancers.go' },
  },
};
