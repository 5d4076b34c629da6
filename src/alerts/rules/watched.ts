import type { AlertRule } from './alert-rule';

/** Where metrics are read. */
export interface ScrapeTarget {
  /** The end of the names of what reads it. */
  readonly name: string;
  readonly namespace: string;
  readonly podLabels: Readonly<Record<string, string>>;
  /** The name of the port of the container; a number where it has no name. */
  readonly port: string | number;
  readonly path: string;
  /** Whether it speaks TLS and asks for a token that the API server knows. */
  readonly isGuarded: boolean;
  /** Labels that every series gets, by which expressions find it. */
  readonly labels: Readonly<Record<string, string>>;
}

/** From when on something of a controller or of a shared balancer is wrong. */
export interface WatchThresholds {
  readonly failuresPerHour: number;
  readonly downMinutes: number;
  readonly targetsMinutes: number;
  readonly poolPercent: number;
  readonly certificateDays: number;
  readonly tenantPercent: number;
  readonly tenantConnections: number;
  readonly tenantBytesPerSecond: number;
  readonly tenantMinutes: number;
}

/** What is watched beside Services. */
export interface Watched {
  readonly target: ScrapeTarget;
  /** The group of its alerts. */
  readonly alerts: (thresholds: WatchThresholds) => AlertRule[];
}
