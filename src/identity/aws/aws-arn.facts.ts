// What an ARN must say. AWS Identity and Access Management user guide, "Identify AWS resources with Amazon Resource Names", "IAM
// identifiers" and "IAM and AWS STS quotas"; Service Authorization Reference, resource types of EC2, EKS and ELB V2 (2026).

/** The services that ARNs are asked of here, as people call them, and whether their ARNs name a region. */
export const ARN_SERVICES = {
  ec2: { name: 'EC2', regional: true },
  eks: { name: 'EKS', regional: true },
  elasticloadbalancing: { name: 'Elastic Load Balancing', regional: true },
  iam: { name: 'IAM', regional: false },
} as const;

/** The id of an account. */
export const ACCOUNT_ID = /^\d{12}$/;

/** The name of a region, known or not: `eu-west-1`, `us-gov-west-1`. */
export const REGION_NAME = /^[a-z]{2,}(-[a-z]+)+-\d+$/;

/** A role behind `role/`: a path of printable characters or none, and a name. */
export const ROLE_WITH_PATH = /^([!-~]+\/)?[\w+=,.@-]{1,64}$/;
