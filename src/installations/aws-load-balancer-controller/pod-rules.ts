import type { Rule } from '../../rules/rule';
import { containerOf, gatesIn } from './app';
import { KNOWN_VERSION } from './installation.facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';

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
