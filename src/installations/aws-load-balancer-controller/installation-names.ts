import { VERSION_LABEL } from '../../contract/kubernetes.facts';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { INSTANCE_LABEL, MANAGED_BY_LABEL, NAME_LABEL, NAME_SUFFIX } from './installation.facts';

/** What the objects of an installation are called, as upstream calls them. */
export interface InstallationNames {
  readonly namespace: string;
  /** The Deployment, its service account and its disruption budget. */
  readonly deployment: string;
  /** What the names around its webhooks begin with. */
  readonly prefix: string;
  readonly webhooks: string;
  readonly webhookService: string;
  readonly clusterRole: string;
  readonly clusterRoleBinding: string;
  readonly leaderRole: string;
  readonly leaderRoleBinding: string;
  /** What tells its pods from others. */
  readonly selector: Readonly<Record<string, string>>;
  /** What all of its objects have. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The names of an installation. */
export function namesOf(deployment: string, namespace: string, version: string): InstallationNames {
  const prefix = deployment.endsWith(NAME_SUFFIX) ? deployment.slice(0, -NAME_SUFFIX.length) : deployment;
  const selector = { [INSTANCE_LABEL]: deployment, [NAME_LABEL]: AWS_LBC };
  return {
    namespace,
    deployment,
    prefix,
    webhooks: `${prefix}-webhook`,
    webhookService: `${prefix}-webhook-service`,
    clusterRole: `${deployment}-role`,
    clusterRoleBinding: `${deployment}-rolebinding`,
    leaderRole: `${deployment}-leader-election-role`,
    leaderRoleBinding: `${deployment}-leader-election-rolebinding`,
    selector,
    labels: { ...selector, [MANAGED_BY_LABEL]: 'cdk8s', [VERSION_LABEL]: `v${version}` },
  };
}
