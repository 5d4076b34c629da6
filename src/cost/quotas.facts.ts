import { type Citation, Confidence } from '../contract/kubernetes.facts';

// What an account has no more of unless its vendor raises it. Accounts differ: what a caller gives wins.

/** What a quota counts. */
export type QuotaCount =
  /** Balancers. */
  | 'balancers'
  /** Listeners or rules of one balancer. */
  | 'listeners'
  /** Listeners of all balancers, each of which has a group of targets, or is a rule. */
  | 'all-listeners'
  /** Addresses that were allocated beforehand. */
  | 'allocated-addresses'
  /** Public addresses. */
  | 'public-addresses'
  /** What its controller names, once for each address. */
  | 'named-by-address'
  /** One network interface of each balancer in each zone. */
  | 'zones'
  /** Targets of one balancer: a node counts for each listener. */
  | 'targets'
  /** Targets of one listener. */
  | 'targets-of-listener'
  /** What a Service uses of a limit that its controller names: for one balancer, or for all together. */
  | 'named'
  | 'named-together';

/** A quota of an account, or of each balancer in it. */
export interface AccountQuota {
  readonly id: string;
  /** As the vendor calls it. */
  readonly name: string;
  /** The products that use it. */
  readonly products: readonly string[];
  readonly counts: QuotaCount;
  /** The value of a new account; unset where each account has another one. */
  readonly limit?: number;
  /** Whether the vendor raises it. */
  readonly adjustable: boolean;
  readonly source: Citation;
  readonly confidence: Confidence;
}

const NLB: Citation = {
  repository: 'Elastic Load Balancing User Guide',
  version: '2026-11',
  file: 'Quotas for your Network Load Balancers',
};
const CLB: Citation = { ...NLB, file: 'Quotas for your Classic Load Balancer' };
const EC2: Citation = { repository: 'Amazon VPC User Guide', version: '2025-06', file: 'Amazon VPC quotas' };
const AZURE: Citation = {
  repository: 'Microsoft Learn',
  version: '2025-06',
  file: 'azure-resource-manager/management/azure-subscription-service-limits',
};
const GCP: Citation = { repository: 'Google Cloud', version: '2026-11', file: 'load-balancing/docs/quotas' };
const HETZNER: Citation = { repository: 'Hetzner Docs', version: '2024-11-28', file: 'cloud/load-balancers/overview' };
const HETZNER_API: Citation = { repository: 'Hetzner Cloud API', version: '2025-06', file: 'load_balancer_types' };

const { DOCS, UNVERIFIED } = Confidence;
const HETZNER_SIZES = ['hetzner/lb11', 'hetzner/lb21', 'hetzner/lb31'];

type Row = [
  id: string,
  name: string,
  products: readonly string[],
  counts: QuotaCount,
  limit: number | undefined,
  adjustable: boolean,
  source: Citation,
  confidence: Confidence,
];

const ROWS: readonly Row[] = [
  ['aws-nlbs', 'Network Load Balancers per Region', ['aws/nlb'], 'balancers', 50, true, NLB, DOCS],
  ['aws-nlb-listeners', 'Listeners per Network Load Balancer', ['aws/nlb'], 'listeners', 50, false, NLB, DOCS],
  ['aws-nlb-interfaces', 'Network Load Balancer ENIs per VPC', ['aws/nlb'], 'zones', 1200, true, NLB, DOCS],
  ['aws-nlb-targets', 'Targets per Network Load Balancer', ['aws/nlb'], 'targets', 3000, true, NLB, DOCS],
  ['aws-target-groups', 'Target groups per Region', ['aws/nlb'], 'all-listeners', 3000, true, NLB, DOCS],
  ['aws-group-targets', 'Targets per target group', ['aws/nlb'], 'targets-of-listener', 1000, true, NLB, DOCS],
  ['aws-clbs', 'Classic Load Balancers per Region', ['aws/clb'], 'balancers', 20, true, CLB, DOCS],
  ['aws-clb-listeners', 'Listeners per Classic Load Balancer', ['aws/clb'], 'listeners', 100, true, CLB, DOCS],
  [
    'aws-clb-instances',
    'Registered instances per Classic Load Balancer',
    ['aws/clb'],
    'targets-of-listener',
    1000,
    true,
    CLB,
    DOCS,
  ],
  ['aws-elastic-ips', 'Elastic IP addresses per Region', ['aws/nlb'], 'allocated-addresses', 5, true, EC2, UNVERIFIED],
  [
    'azure-load-balancers',
    'Standard Load Balancers per region and subscription',
    ['azure/standard'],
    'balancers',
    1000,
    false,
    AZURE,
    UNVERIFIED,
  ],
  [
    'azure-public-addresses',
    'Standard public IPv4 addresses per region and subscription',
    ['azure/standard'],
    'public-addresses',
    1000,
    true,
    AZURE,
    UNVERIFIED,
  ],
  [
    'gcp-forwarding-rules',
    'Forwarding rules per region and project',
    ['gcp/passthrough-external', 'gcp/passthrough-internal'],
    'all-listeners',
    undefined,
    true,
    GCP,
    DOCS,
  ],
  ['hetzner-load-balancers', 'Load Balancers of all projects', HETZNER_SIZES, 'balancers', 20, true, HETZNER, DOCS],
  ...(
    [
      ['lb11', 5, 25],
      ['lb21', 15, 75],
      ['lb31', 30, 150],
    ] as const
  ).flatMap(([size, services, targets]): Row[] => [
    [
      `hetzner-${size}-services`,
      `Services of an ${size.toUpperCase()}`,
      [`hetzner/${size}`],
      'listeners',
      services,
      false,
      HETZNER_API,
      UNVERIFIED,
    ],
    [
      `hetzner-${size}-targets`,
      `Targets of an ${size.toUpperCase()}`,
      [`hetzner/${size}`],
      'targets-of-listener',
      targets,
      false,
      HETZNER_API,
      UNVERIFIED,
    ],
  ]),
];

/** The quotas, in the order in which they are reported where they are used alike. */
export const ACCOUNT_QUOTAS: readonly AccountQuota[] = ROWS.map(
  ([id, name, products, counts, limit, adjustable, source, confidence]) => ({
    id,
    name,
    products,
    counts,
    ...(limit !== undefined && { limit }),
    adjustable,
    source,
    confidence,
  }),
);
