// The form of the tables of permissions in *.facts.yaml.

export interface PartitionFact {
  readonly id: string;
  readonly dnsSuffix: string;
  readonly regions: RegExp;
}

/** The purpose of a call of the AWS Load Balancer Controller. `uncalled`: in the vendor's policy, and nowhere in its code. */
export type Purpose =
  | 'nlb'
  | 'alb'
  | 'capacity'
  | 'certificate-discovery'
  | 'certificate-management'
  | 'cognito'
  | 'global-accelerator'
  | 'migration-from-v1'
  | 'service-linked-role'
  | 'shield'
  | 'tagging-api'
  | 'waf-classic'
  | 'wafv2'
  | 'wafv2-by-name'
  | 'uncalled';

export interface IamStatement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** By operator and key, as in the JSON of the policy. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Letters and digits; a second statement of that name in one policy gets a number. */
  readonly sid?: string;
}

export type TagCheck = 'request-tagged' | 'request-untagged' | 'resource-tagged';

export interface StatementFact {
  readonly sid: string;
  /** ARNs behind `arn:<partition>:`; `*` for everything, `{kind}` for `net`, and `app` if ALBs are served. */
  readonly resources: readonly string[];
  readonly checks?: readonly TagCheck[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  readonly vpc?: boolean;
  readonly only?: readonly string[];
}

export interface CallFact {
  readonly statement: string;
  readonly purpose: Purpose;
  readonly source: string;
  readonly service: string;
  readonly names: readonly string[];
}

/** The parts of the AWS cloud controller manager that call AWS. `uncalled`: documented, and called by none of them. */
export type CloudControllerPart = 'nodes' | 'node-tags' | 'routes' | 'classic' | 'network' | 'uncalled';

export interface CloudControllerCalls {
  readonly parts: readonly CloudControllerPart[];
  readonly service: string;
  readonly names: readonly string[];
  readonly documented: boolean;
  /** Below `pkg/providers/v1`, unless it begins with `docs`. */
  readonly source: string;
}

export const actionsOf = ({ service, names }: Pick<CallFact, 'service' | 'names'>) =>
  names.map((name) => `${service}:${name}`);
