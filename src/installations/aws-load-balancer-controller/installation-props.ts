import { PodSpread } from '../../contract/pod-spread';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller.product.annotations';
import { AwsClusterIsolation } from '../../identity/aws/aws-cluster-isolation';
import { isMap } from '../../rules/service-json';
import {
  ANYTHING,
  having,
  listOf,
  mapOf,
  ofType,
  type PropKind,
  type PropKinds,
  propFault,
  SWITCH,
  TEXT,
  wordOf,
} from '../prop-kinds';
import {
  type AwsLoadBalancerControllerInstallationProps,
  type AwsLoadBalancerControllerResources,
  AwsLoadBalancerControllerWebhookFailurePolicy,
} from './aws-load-balancer-controller-installation.options';
import { FEATURE_GATES } from './feature-gates.facts';

const TEXT_BY_NAME = mapOf('a map of texts', TEXT);
const SIZE = having('a Size', 'asString');
const IDENTITY = having('an AwsIdentity', 'serviceAccountAnnotations', 'object');
const CERTIFICATE = having('a WebhookCertificate', '_bind');

/** Of every prop; of texts and numbers rules say more. */
const PROPS: PropKinds<AwsLoadBalancerControllerInstallationProps> = {
  clusterName: TEXT,
  region: TEXT,
  vpcId: TEXT,
  identity: IDENTITY,
  certificate: CERTIFICATE,
  version: having('an AwsLoadBalancerControllerVersion', 'version', 'string'),
  name: TEXT,
  namespace: TEXT,
  replicas: ofType('a number', 'number'),
  disruptionBudget: SWITCH,
  image: TEXT,
  loadBalancerClass: TEXT,
  serviceMutatorWebhook: SWITCH,
  podMutatorFailurePolicy: wordOf(
    'an AwsLoadBalancerControllerWebhookFailurePolicy',
    AwsLoadBalancerControllerWebhookFailurePolicy,
  ),
  nlbOnly: SWITCH,
  policyFeatures: listOf('a list of AwsLoadBalancerControllerFeature', TEXT),
  isolation: wordOf('an AwsClusterIsolation', AwsClusterIsolation),
  vpcArn: TEXT,
  ingressClassName: TEXT,
  ingressClass: SWITCH,
  featureGates: mapOf('a map', ANYTHING),
  gatewayApiCrds: TEXT,
  crds: SWITCH,
  watchNamespace: TEXT,
  defaultTags: TEXT_BY_NAME,
  logLevel: TEXT,
  additionalFlags: TEXT_BY_NAME,
  resources: mapOf('a map', ANYTHING),
  priorityClassName: TEXT,
  nodePool: having('a NodePool', 'pin'),
  tolerations: listOf('a list of NodeTaint', having('a NodeTaint', 'key', 'string')),
  hostNetwork: SWITCH,
  spread: wordOf('a PodSpread', PodSpread),
};

const RESOURCES: PropKinds<AwsLoadBalancerControllerResources> = {
  cpuRequest: TEXT,
  cpuLimit: TEXT,
  memoryRequest: SIZE,
  memoryLimit: SIZE,
};

const GATES: Readonly<Record<string, PropKind>> = {
  ...Object.fromEntries(FEATURE_GATES.map(({ member }) => [member, SWITCH])),
  additional: mapOf('a map of true or false', SWITCH),
};

/**
 * Refuses what no installation can be made of.
 *
 * @throws where a prop is missing, or no value of its kind
 */
export function checkProps(path: string, props: AwsLoadBalancerControllerInstallationProps): void {
  const fault = faultIn(props);
  if (fault !== undefined) {
    throw new Error(`[${path}] ${AWS_LBC}: ${fault} (installation-props)`);
  }
}

function faultIn(props: AwsLoadBalancerControllerInstallationProps): string | undefined {
  if (!isMap(props)) {
    return 'is installed without props; pass clusterName, region, vpcId, identity and certificate';
  }
  const { identity, certificate, featureGates, resources } = props;
  if (identity === undefined) {
    return `identity is missing; pass ${IDENTITY.name}`;
  }
  if (certificate === undefined) {
    return `certificate is missing; pass ${CERTIFICATE.name}`;
  }
  return (
    propFault('', PROPS, props) ??
    propFault('resources.', RESOURCES, resources) ??
    propFault('featureGates.', GATES, featureGates) ??
    unknownGate(featureGates ?? {})
  );
}

/** A gate that is misspelt would be left out without a word. */
function unknownGate(gates: object): string | undefined {
  const unknown = Object.keys(gates).find((member) => !(member in GATES));
  const meant = Object.keys(GATES).find((member) => member.toLowerCase() === unknown?.toLowerCase());
  return unknown === undefined
    ? undefined
    : `featureGates has no member '${unknown}'; write ${meant ?? "upstream's name of it in additional"}`;
}
