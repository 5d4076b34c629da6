// Limits of IAM. AWS Identity and Access Management user guide, "IAM and AWS STS quotas" (2026): white space does not count.

/** Characters that a managed policy may have. */
export const MANAGED_POLICY_CHARACTERS = 6144;

/** Managed policies that a role may have, unless the quota was raised. */
export const MANAGED_POLICIES_OF_A_ROLE = 10;

/** The version of the policy language. */
export const POLICY_LANGUAGE = '2012-10-17';

/** The characters a name of a cluster may have, which is what tokens in policies mostly stand for. */
export const CHARACTERS_OF_A_TOKEN = 100;

/** Policies that AWS keeps for all accounts, which belong to none. AWS managed policy reference guide (2026) */
export const AWS_MANAGED_POLICY = /^arn:[a-z-]+:iam::aws:policy\/[!-~]+$/;
