/**
 * What a statement of a policy does.
 */
export enum IamEffect {
  /** What it names may be done. */
  ALLOW = 'Allow',

  /** What it names may not be done, whatever another statement allows. */
  DENY = 'Deny',
}

/**
 * A statement of an IAM policy, as plain data.
 */
export interface IamStatement {
  /** What it is about, such as `ec2:DescribeSubnets`. */
  readonly actions: string[];

  /** ARNs, with wildcards or not, or `*`. */
  readonly resources: string[];

  /**
   * By operator and key, as in the JSON of the policy: `{ StringEquals: { 'aws:RequestTag/team': 'edge' } }`.
   *
   * @default - none: it holds always
   */
  readonly conditions?: { [operator: string]: unknown };

  /**
   * Whether it allows or denies.
   *
   * @default IamEffect.ALLOW
   */
  readonly effect?: IamEffect;

  /**
   * A name, of letters and digits alone. A second statement of that name in one policy gets a number behind it.
   *
   * @default - none
   */
  readonly sid?: string;
}
