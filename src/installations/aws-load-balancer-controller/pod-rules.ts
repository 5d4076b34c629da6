import { type Json, list } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { isUnresolved } from '../../identity/aws/aws-arn';
import { IMAGE_SYNTAX } from '../image.facts';
import { resourceFaults } from '../resource-faults';
import { CERTIFICATE_FOLDER, IMAGE_REPOSITORY, KNOWN_VERSION } from './installation.facts';
import { containerOf } from './installation-reading';
import { type InstallationRule, installationError } from './installation-rule';

const DEPLOYMENT = 'helm/aws-load-balancer-controller/templates/deployment.yaml';

const podOf = (deployment: Json): Json => deployment.spec?.template?.spec ?? {};

/** Whether the container finds a volume of its pod where it reads the certificate of its webhooks. */
function hasCertificate(deployment: Json): boolean {
  const volumes = list<Json>(podOf(deployment).volumes).map((volume) => volume?.name);
  return list<Json>(containerOf(deployment).volumeMounts).some(
    (mount) => mount?.mountPath === CERTIFICATE_FOLDER && volumes.includes(mount.name),
  );
}

/** What the pods of the controller are. */
export const POD_RULES: readonly InstallationRule[] = [
  installationError(
    'controller-resources',
    'requests and limits of the controller are amounts, and no request is above its limit',
    'config/controller/controller.yaml',
    ({ deployment }) => resourceFaults(deployment),
  ),
  installationError('controller-image', 'the image of the controller is one', DEPLOYMENT, ({ deployment }) => {
    const image = String(containerOf(deployment).image ?? '');
    return isUnresolved(image) || IMAGE_SYNTAX.test(image)
      ? undefined
      : {
          what: `has the image '${image}', which is none`,
          remedy: `write it like ${IMAGE_REPOSITORY}:v${KNOWN_VERSION.join('.')}`,
          value: image,
        };
  }),
  installationError(
    'priority-class',
    'the priority of the controller is one that a PriorityClass can be called',
    DEPLOYMENT,
    ({ deployment }) => {
      const said = podOf(deployment).priorityClassName;
      const isNone = said !== undefined && (String(said).startsWith('*') || dnsNameFault(String(said)) !== undefined);
      return isNone && !isUnresolved(String(said))
        ? {
            what: `has the priority class '${said}', which is none`,
            remedy: 'write a name in lower case, such as system-cluster-critical',
            value: String(said),
          }
        : undefined;
    },
  ),
  installationError(
    'controller-service-account',
    'the controller runs as the ServiceAccount that its permissions and its role are for',
    DEPLOYMENT,
    ({ deployment, serviceAccount }) => {
      const [runsAs, own] = [podOf(deployment).serviceAccountName ?? 'default', serviceAccount.metadata?.name];
      return runsAs === own
        ? undefined
        : {
            what: `runs as ServiceAccount '${runsAs}', and permissions and role are those of '${own}': it may do nothing`,
            remedy: `leave serviceAccountName at '${own}', or name the installation as the account is called`,
            value: String(runsAs),
          };
    },
  ),
  installationError(
    'webhook-certificate-mount',
    'the controller finds the certificate of its webhooks',
    DEPLOYMENT,
    ({ deployment }) =>
      hasCertificate(deployment)
        ? undefined
        : {
            what: `has no volume at ${CERTIFICATE_FOLDER}, where it reads the certificate of its webhooks: it does not start`,
            remedy: 'leave the volume and its mount there',
          },
  ),
  installationError(
    'controller-permissions',
    'the ClusterRole of the controller permits something',
    'helm/aws-load-balancer-controller/templates/rbac.yaml',
    ({ clusterRole }) =>
      list(clusterRole.rules).length > 0 || clusterRole.aggregationRule !== undefined
        ? undefined
        : {
            what: 'has a ClusterRole without rules, with which it sees no Service',
            remedy: 'take single rules out by patch, not all of them',
          },
  ),
];
