export interface WebhookServer {
  /** Prefix of the names of its objects. */
  readonly prefix: string;
  readonly namespace: string;
  /** The Service that the API server calls. */
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The organization in the authority, if one is made. */
  readonly organization: string;
}

export interface BoundCertificate {
  readonly secretName: string;
  /** Annotations of the webhook configurations. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The CA bundle of each webhook, if it is known. */
  readonly caBundle?: string;
}
