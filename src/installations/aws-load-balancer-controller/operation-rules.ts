import type { Json } from '../../contract/late-rendering';
import type { Verdict } from '../../rules/rule';
import { compareVersions } from './compare-versions';
import { GATEWAY_API_GROUP, GATEWAY_API_KINDS, GATEWAY_API_SINCE, KNOWN_VERSION } from './installation.facts';
import { containerOf, gatesIn } from './installation-reading';
import {
  type InstallationContext,
  type InstallationRule,
  installationError,
  installationWarning,
} from './installation-rule';

const SINCE = GATEWAY_API_SINCE.join('.');

/** What is wrong with the version of the Gateway API that somebody says the cluster has. */
function saidVersionFault(said: string): Verdict | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(said);
  if (!match) {
    return {
      what: `is said to find the Gateway API '${said}', which is no version`,
      wayOut: `write it like ${SINCE}`,
      value: said,
    };
  }
  return compareVersions(match.slice(1).map(Number), GATEWAY_API_SINCE) < 0
    ? {
        what: `has a feature gate of the Gateway API, finds it in version ${said}, and wants ${SINCE}: after two minutes the whole controller exits`,
        wayOut: `apply the Gateway API ${SINCE} first, or leave the gate out`,
        value: said,
      }
    : undefined;
}

function missingKinds(gate: string, { crdNames }: InstallationContext): Verdict[] {
  const missing = GATEWAY_API_KINDS[gate]
    .map((plural) => `${plural}.${GATEWAY_API_GROUP}`)
    .filter((name) => !crdNames.includes(name));
  return missing.length === 0
    ? []
    : [
        {
          what: `has the feature gate ${gate}, and nobody says that the cluster has ${missing.join(', ')}: without them the whole controller exits after two minutes`,
          wayOut: `apply the Gateway API first and say so (gatewayApiCrds: '${SINCE}'), have its CRDs in this app, or leave the gate out`,
          value: gate,
        },
      ];
}

/** How many pods a disruption budget lets go at a time. */
function roomIn({ spec = {} }: Json, replicas: number): number {
  const count = (value: unknown) =>
    typeof value === 'string' && value.endsWith('%')
      ? Math.ceil((Number.parseFloat(value) / 100) * replicas)
      : Number(value);
  return spec.minAvailable === undefined ? count(spec.maxUnavailable ?? 0) : replicas - count(spec.minAvailable);
}

function tagOf(image: string): string | undefined {
  return /:([^/:@]+)(@.*)?$/.exec(image)?.[1];
}

/** How the controller runs. */
export const OPERATION_RULES: readonly InstallationRule[] = [
  installationError(
    'gateway-api-crds',
    'a gate of the Gateway API is on only where its kinds are in the cluster',
    'pkg/gateway/crddetect/gateway_feature_flags.go',
    ({ deployment }, context) => {
      const gates = gatesIn(deployment);
      const isOn = gates.NLBGatewayAPI === 'true' || gates.ALBGatewayAPI === 'true';
      const on = Object.keys(GATEWAY_API_KINDS).filter((gate) => isOn && gates[gate] === 'true');
      if (context.gatewayApiCrds !== undefined) {
        return on.length > 0 ? saidVersionFault(context.gatewayApiCrds) : undefined;
      }
      return on.flatMap((gate) => missingKinds(gate, context));
    },
  ),
  installationError(
    'nlb-only',
    'where only Network Load Balancers are wanted, nothing asks for others',
    'pkg/config/feature_gates.go',
    ({ deployment }, { nlbOnly }) =>
      nlbOnly && gatesIn(deployment).ALBGatewayAPI === 'true'
        ? {
            what: 'is for Network Load Balancers only and has the feature gate ALBGatewayAPI, for which it lacks permissions',
            wayOut: 'leave one of the two out',
          }
        : undefined,
  ),
  installationError(
    'controller-replicas',
    'somebody serves what has a finalizer',
    'helm/aws-load-balancer-controller/values.yaml',
    ({ deployment }) => {
      const { replicas = 1 } = deployment.spec ?? {};
      return Number.isInteger(replicas) && replicas >= 1
        ? undefined
        : {
            what: `has ${replicas} replicas, so that every Service that it served hangs when it is deleted`,
            wayOut: 'write 1 or more',
            value: String(replicas),
          };
    },
  ),
  installationError(
    'disruption-budget',
    'a disruption budget lets nodes be drained',
    'helm/aws-load-balancer-controller/templates/pdb.yaml',
    ({ deployment, budget }) => {
      const replicas = Number(deployment.spec?.replicas ?? 1);
      if (!budget || (replicas > 1 && roomIn(budget, replicas) > 0)) {
        return undefined;
      }
      return {
        what:
          replicas > 1
            ? `has ${replicas} replicas and a PodDisruptionBudget that lets none of them go, so that no node of theirs can be drained`
            : 'has one replica and a PodDisruptionBudget, which blocks every drain of its node or protects nothing',
        wayOut: replicas > 1 ? 'let one go at a time (maxUnavailable 1)' : 'run two replicas, or leave the budget out',
      };
    },
  ),
  installationError(
    'image-of-another-version',
    'the image is of the version that is installed',
    'helm/aws-load-balancer-controller/values.yaml',
    ({ deployment }, { version }) => {
      const image = String(containerOf(deployment).image ?? '');
      const tag = tagOf(image);
      return tag === undefined || !/^v?\d+\.\d+\.\d+$/.test(tag) || tag.replace(/^v/, '') === version
        ? undefined
        : {
            what: `is installed as version ${version} from the image '${image}'`,
            wayOut: 'name the version of the image',
            value: tag,
          };
    },
  ),
  installationWarning(
    'crds-of-another-version',
    'the kinds are those of the version that is installed',
    'config/crd',
    (_, { isKnownVersion, version, writesCrds }) =>
      isKnownVersion || !writesCrds
        ? undefined
        : {
            what: `is installed as version ${version} with the kinds of ${KNOWN_VERSION.join('.')}, which drop fields that are newer`,
            wayOut: 'apply the kinds of that version and leave them out here (crds: false)',
            value: version,
          },
  ),
];
