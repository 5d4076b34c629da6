import { Confidence } from '../../contract/kubernetes.facts';
import type { UpgradeFact } from '../../contract/upgrade';
import { annotationsOf } from '../../rules/service-json';
import { AWS_LBC } from './annotations';

const REPOSITORY = 'kubernetes-sigs/aws-load-balancer-controller';
const POLICY = 'docs/install/iam_policy.json';

/** The actions that the recommended policy of a version has more than that of the version before. */
const permitted = (since: string, ...actions: string[]): UpgradeFact => ({
  since,
  up: {
    outcome: 'kept',
    notApplied: true,
    what: `without the actions that ${since} needs first, its reconciles fail where it calls them, and the balancer stays as it is`,
    first: `allow the role of the controller ${actions.join(', ')}`,
  },
  source: { repository: REPOSITORY, version: `v${since}`, file: POLICY },
  confidence: Confidence.SOURCE,
});

/** A release of the Gateway API that a version is built for: with kinds of an older one it leaves Gateways alone. */
const builtFor = (since: string, gatewayApi: string, file: string): UpgradeFact => ({
  since,
  concerns: ({ beside }) => beside.some(({ apiVersion }) => String(apiVersion).startsWith(GATEWAY_API)),
  up: {
    outcome: 'kept',
    notApplied: true,
    what: `with kinds of a Gateway API before ${gatewayApi} it leaves Gateways alone; balancers of Services are not concerned`,
    first: `install the kinds of Gateway API ${gatewayApi} or newer, where it serves Gateways`,
  },
  source: { repository: REPOSITORY, version: `v${since}`, file },
  confidence: Confidence.SOURCE,
});

const GATEWAY_API = 'gateway.networking.k8s.io/';

/** By the tags of the repository; of actions, those of the recommended policy that concern Services. */
export const AWS_LBC_UPGRADES: readonly UpgradeFact[] = [
  {
    since: '2.2.0',
    concerns: ({ service }) =>
      [AWS_LBC.scheme, AWS_LBC.internal].every((entry) => annotationsOf(service)[entry.key()] === undefined),
    up: {
      outcome: 'kept',
      what: 'a live balancer keeps its scheme; one that is made anew is internal, and was internet-facing before',
    },
    down: {
      outcome: 'replaced',
      what: 'a balancer without an annotation of its scheme is made internet-facing',
      first: 'set the annotation of the scheme',
    },
    source: { repository: REPOSITORY, version: 'v2.2.0', file: 'pkg/service/model_build_load_balancer.go' },
    confidence: Confidence.SOURCE,
  },
  {
    since: '2.6.0',
    up: {
      outcome: 'kept',
      what: 'a live balancer stays without security groups; one that is made anew has them',
    },
    source: { repository: REPOSITORY, version: 'v2.6.0', file: 'pkg/service/model_build_load_balancer.go' },
    confidence: Confidence.SOURCE,
  },
  permitted('2.2.0', 'ec2:DescribeAvailabilityZones'),
  permitted(
    '2.9.0',
    'elasticloadbalancing:DescribeListenerAttributes',
    'elasticloadbalancing:ModifyListenerAttributes',
  ),
  permitted('2.10.0', 'ec2:GetSecurityGroupsForVpc'),
  permitted(
    '2.11.0',
    'elasticloadbalancing:DescribeCapacityReservation',
    'elasticloadbalancing:ModifyCapacityReservation',
  ),
  permitted('2.13.0', 'ec2:DescribeRouteTables'),
  builtFor('3.2.0', '1.5.0', 'go.mod'),
  builtFor('3.5.0', '1.6.0', 'pkg/gateway/crddetect/gateway_feature_flags.go'),
];
