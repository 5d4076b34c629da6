/** What a certificate is made for. */
export interface WebhookServer {
  /** What the names of its objects begin with. */
  readonly prefix: string;
  readonly namespace: string;
  /** The Service that the API server calls. */
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Who the authority is, where one is made. */
  readonly organization: string;
}

/** What an installation needs to know of its certificate. */
export interface BoundCertificate {
  readonly secretName: string;
  /** What the webhook configurations are annotated with. */
  readonly annotations: Readonly<Record<string, string>>;
  /** What they say of each webhook, where it is known. */
  readonly caBundle?: string;
}
