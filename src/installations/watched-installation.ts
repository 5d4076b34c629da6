export interface WatchedInstallation {
  /** The name of its workload. */
  readonly name: string;
  readonly namespace?: string;
  readonly podLabels: Readonly<Record<string, string>>;
  /** The name or the number of the port that metrics are at. */
  readonly port: string | number;
  /** The Secret with the certificate of its webhooks, where it has some. */
  readonly certificateSecret?: string;
}
