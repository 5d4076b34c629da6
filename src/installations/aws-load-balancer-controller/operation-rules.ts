import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { KNOWN_VERSION } from './installation.facts';
import { containerOf, gatesIn } from './installation-reading';
import { type InstallationRule, installationError, installationWarning, type ObjectInApp } from './installation-rule';

/** How many pods a disruption budget lets go at a time. */
function roomIn({ spec = {} }: Json, replicas: number): number {
  const count = (value: unknown) =>
    typeof value === 'string' && value.endsWith('%')
      ? Math.ceil((Number.parseFloat(value) / 100) * replicas)
      : Number(value);
  return spec.minAvailable === undefined ? count(spec.maxUnavailable ?? 0) : replicas - count(spec.minAvailable);
}

function ownBudgetFaults(budget: Json | undefined, replicas: number): Finding[] {
  if (!budget || (replicas > 1 && roomIn(budget, replicas) > 0)) {
    return [];
  }
  return [
    {
      what:
        replicas > 1
          ? `has ${replicas} replicas and a PodDisruptionBudget that lets none of them go, so that no node of theirs can be drained`
          : 'has one replica and a PodDisruptionBudget, which blocks every drain of its node or protects nothing',
      remedy: replicas > 1 ? 'let one go at a time (maxUnavailable 1)' : 'run two replicas, or leave the budget out',
    },
  ];
}

function foreignBudgetFaults(budgets: readonly ObjectInApp[], replicas: number): Finding[] {
  return budgets
    .filter(({ json }) => json.spec?.minAvailable !== undefined || json.spec?.maxUnavailable !== undefined)
    .filter(({ json }) => roomIn(json, replicas) <= 0)
    .map(({ path }) => ({
      what: `has ${replicas === 1 ? 'one replica' : `${replicas} replicas`}, and PodDisruptionBudget ${path}, which selects its pods, lets none go: no node of theirs can be drained`,
      remedy: 'let one go at a time (maxUnavailable 1), or take its pods out of the selector',
      value: path,
    }));
}

function tagOf(image: string): string | undefined {
  return /:([^/:@]+)(@.*)?$/.exec(image)?.[1];
}

/** How the controller runs. */
export const OPERATION_RULES: readonly InstallationRule[] = [
  installationError(
    'nlb-only',
    'where only Network Load Balancers are wanted, nothing asks for others',
    'pkg/config/feature_gates.go',
    ({ deployment }, { nlbOnly }) =>
      nlbOnly && gatesIn(deployment).ALBGatewayAPI === 'true'
        ? {
            what: 'is for Network Load Balancers only and has the feature gate ALBGatewayAPI, for which it lacks permissions',
            remedy: 'leave one of the two out',
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
            remedy: 'write 1 or more',
            value: String(replicas),
          };
    },
  ),
  installationWarning(
    'disruption-budget',
    'a disruption budget lets nodes be drained',
    'helm/aws-load-balancer-controller/templates/pdb.yaml',
    ({ deployment, budget }, { foreignBudgets }) => {
      const replicas = Number(deployment.spec?.replicas ?? 1);
      return [...ownBudgetFaults(budget, replicas), ...foreignBudgetFaults(foreignBudgets, replicas)];
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
            remedy: 'name the version of the image',
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
            remedy: 'apply the kinds of that version and leave them out here (crds: false)',
            value: version,
          },
  ),
];
