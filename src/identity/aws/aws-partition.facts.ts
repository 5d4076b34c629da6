// Partitions of AWS: what ARNs begin with, and what belongs to a region by its name. boto/botocore 1.44, data/endpoints.json and
// partitions.json; the bundled policies of the controller differ by partition: kubernetes-sigs/aws-load-balancer-controller
// v3.5.0, docs/install/iam_policy*.json

/** What is known of a partition. */
export interface PartitionFact {
  readonly id: string;
  readonly dnsSuffix: string;
  /** The names of its regions. */
  readonly regions: RegExp;
}

export const PARTITIONS: readonly PartitionFact[] = [
  { id: 'aws-cn', dnsSuffix: 'amazonaws.com.cn', regions: /^cn-\w+-\d+$/ },
  { id: 'aws-us-gov', dnsSuffix: 'amazonaws.com', regions: /^us-gov-\w+-\d+$/ },
  { id: 'aws-iso', dnsSuffix: 'c2s.ic.gov', regions: /^us-iso-\w+-\d+$/ },
  { id: 'aws-iso-b', dnsSuffix: 'sc2s.sgov.gov', regions: /^us-isob-\w+-\d+$/ },
  { id: 'aws-iso-e', dnsSuffix: 'cloud.adc-e.uk', regions: /^eu-isoe-\w+-\d+$/ },
  { id: 'aws-iso-f', dnsSuffix: 'csp.hci.ic.gov', regions: /^us-isof-\w+-\d+$/ },
  { id: 'aws-eusc', dnsSuffix: 'amazonaws.eu', regions: /^eusc-(de)-\w+-\d+$/ },
  { id: 'aws', dnsSuffix: 'amazonaws.com', regions: /^(us|eu|ap|sa|ca|me|af|il|mx)-\w+-\d+$/ },
];

/** Actions that a partition refuses to know, by the beginning of its name. */
export const UNKNOWN_IN_PARTITION: readonly { readonly partition: string; readonly actions: readonly string[] }[] = [
  {
    partition: 'aws-iso',
    actions: [
      'elasticloadbalancing:DescribeTrustStores',
      'elasticloadbalancing:DescribeListenerAttributes',
      'elasticloadbalancing:DescribeCapacityReservation',
      'elasticloadbalancing:ModifyListenerAttributes',
      'elasticloadbalancing:ModifyCapacityReservation',
    ],
  },
];
