import { type Json, list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { containerOf, gatesIn } from './app';
import { CERTIFICATE_FOLDER, KNOWN_VERSION } from './facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';

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
export const POD_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'controller-service-account',
    'the controller runs as the ServiceAccount that its permissions and its role are for',
    DEPLOYMENT,
    (deployment, { serviceAccount }) => {
      const [runsAs, own] = [podOf(deployment).serviceAccountName ?? 'default', serviceAccount?.metadata?.name];
      return runsAs === own
        ? undefined
        : {
            what: `runs as ServiceAccount '${runsAs}', and permissions and role are those of '${own}': it may do nothing`,
            remedy: `leave serviceAccountName at '${own}', or name the installation as the account is called`,
            value: String(runsAs),
          };
    },
    ['serviceAccount'],
  ),
  installationError(
    'webhook-certificate-mount',
    'the controller finds the certificate of its webhooks',
    DEPLOYMENT,
    (deployment) =>
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
    (_, { clusterRole }) =>
      list(clusterRole?.rules).length > 0 || clusterRole?.aggregationRule !== undefined
        ? undefined
        : {
            what: 'has a ClusterRole without rules, with which it sees no Service',
            remedy: 'take single rules out by patch, not all of them',
          },
    ['clusterRole'],
  ),
];

function tagOf(image: string): string | undefined {
  return /:([^/:@]+)(@.*)?$/.exec(image)?.[1];
}

/** How the controller runs. */
export const OPERATION_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'nlb-only',
    'where only Network Load Balancers are wanted, nothing asks for others',
    'pkg/config/feature_gates.go',
    (deployment, { nlbOnly }) =>
      nlbOnly && gatesIn(deployment).ALBGatewayAPI === 'true'
        ? {
            what: 'is for Network Load Balancers only and has the feature gate ALBGatewayAPI, for which it lacks permissions',
            remedy: 'leave one of the two out',
          }
        : undefined,
    ['nlbOnly'],
  ),
  installationError(
    'controller-replicas',
    'a replica of the controller runs to remove finalizers',
    'helm/aws-load-balancer-controller/values.yaml',
    (deployment) => {
      const { replicas = 1 } = deployment.spec ?? {};
      return Number.isInteger(replicas) && replicas >= 1
        ? undefined
        : {
            what: `has ${replicas} replicas: every Service that it served stays in Terminating when it is deleted`,
            remedy: 'write 1 or more',
            value: String(replicas),
          };
    },
  ),
  installationError(
    'image-of-another-version',
    'the image is of the version that is installed',
    'helm/aws-load-balancer-controller/values.yaml',
    (deployment, { version }) => {
      const image = String(containerOf(deployment).image ?? '');
      const tag = tagOf(image);
      return tag === undefined || !/^v?\d+\.\d+\.\d+$/.test(tag) || tag.replace(/^v/, '') === version
        ? undefined
        : {
            what: `is installed as version ${version} from the image '${image}'`,
            remedy: 'name the version of the image',
            value: tag,
          };
    },
    ['version'],
  ),
  installationWarning(
    'crds-of-another-version',
    'the kinds are those of the version that is installed',
    'config/crd',
    (_, { isKnownVersion, version, writesCrds }) =>
      isKnownVersion || !writesCrds
        ? undefined
        : {
            what: `is installed as version ${version} with the kinds of ${KNOWN_VERSION}, which drop fields that are newer`,
            remedy: 'apply the kinds of that version and leave them out here (crds: false)',
            value: version,
          },
    ['isKnownVersion', 'version'],
  ),
];
