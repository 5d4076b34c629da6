import type { Json } from '../../contract/late-rendering';
import type { Verdict } from '../../rules/rule';
import { annotationsOf, list } from '../../rules/service-json';
import { someOf } from '../some-of';
import { compareVersions } from './compare-versions';
import {
  GATEWAY_API_BUNDLE,
  GATEWAY_API_GROUP,
  GATEWAY_API_KINDS,
  GATEWAY_API_SINCE,
  GATEWAY_API_VERSION,
  GATEWAY_CONTROLLERS,
} from './installation.facts';
import { gatesIn } from './installation-reading';
import {
  type InstallationContext,
  type InstallationRule,
  installationError,
  installationWarning,
} from './installation-rule';

const SINCE = GATEWAY_API_SINCE.join('.');

/** A version that may have a v before it and more behind it. */
function versionIn(text: string): number[] | undefined {
  return /^v?(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number);
}

/** What is wrong with the version of the Gateway API that somebody says the cluster has. */
function saidVersionFault(said: string): Verdict | undefined {
  const version = versionIn(said);
  if (!version) {
    return {
      what: `is said to find the Gateway API '${said}', which is no version`,
      wayOut: `write it like ${SINCE}`,
      value: said,
    };
  }
  return compareVersions(version, GATEWAY_API_SINCE) < 0
    ? {
        what: `has a feature gate of the Gateway API, finds it in version ${said}, and wants ${SINCE}: after two minutes the whole controller exits`,
        wayOut: `apply the Gateway API ${SINCE} first, or leave the gate out`,
        value: said,
      }
    : undefined;
}

/** Why the controller does not find its kind in a CRD, or nothing. */
function crdFault(crd: Json): string | undefined {
  const served = list<Json>(crd.spec?.versions)
    .filter((version) => version?.served === true)
    .map(({ name }) => String(name));
  if (!served.includes(GATEWAY_API_VERSION)) {
    return `serves ${served.join(', ') || 'no version'}, not ${GATEWAY_API_VERSION}`;
  }
  const bundle = annotationsOf(crd)[GATEWAY_API_BUNDLE];
  const version = bundle === undefined ? undefined : versionIn(bundle);
  return version !== undefined && compareVersions(version, GATEWAY_API_SINCE) < 0
    ? `is of the Gateway API ${bundle}`
    : undefined;
}

function gateFaults(gate: string, { crdsNamed }: InstallationContext): Verdict[] {
  const names = GATEWAY_API_KINDS[gate].map((plural) => `${plural}.${GATEWAY_API_GROUP}`);
  const missing = names.filter((name) => crdsNamed(name).length === 0);
  const unfit = names.flatMap((name) => {
    const faults = crdsNamed(name).map(crdFault);
    return faults.length > 0 && faults.every((fault) => fault !== undefined) ? [`${name} ${faults[0]}`] : [];
  });
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            what: `has the feature gate ${gate}, and nobody says that the cluster has ${missing.join(', ')}: without them the whole controller exits after two minutes`,
            wayOut: `apply the Gateway API first and say so (gatewayApiCrds: '${SINCE}'), have its CRDs in this app, or leave the gate out`,
            value: gate,
          },
        ]),
    ...(unfit.length === 0
      ? []
      : [
          {
            what: `has the feature gate ${gate}, wants the Gateway API ${SINCE}, and finds CRDs in this app of which ${someOf(unfit)}: after two minutes the whole controller exits`,
            wayOut: `take the CRDs of the Gateway API ${SINCE}, say what the cluster really has (gatewayApiCrds), or leave the gate out`,
            value: gate,
          },
        ]),
  ];
}

/** What must be true between the controller and the Gateway API. */
export const GATEWAY_API_RULES: readonly InstallationRule[] = [
  installationError(
    'gateway-api-crds',
    'a gate of the Gateway API is on only where its kinds are in the cluster, in the version that the controller reads',
    'pkg/gateway/crddetect/gateway_feature_flags.go',
    ({ deployment }, context) => {
      const gates = gatesIn(deployment);
      const isOn = gates.NLBGatewayAPI === 'true' || gates.ALBGatewayAPI === 'true';
      const on = Object.keys(GATEWAY_API_KINDS).filter((gate) => isOn && gates[gate] === 'true');
      if (context.gatewayApiCrds !== undefined) {
        return on.length > 0 ? saidVersionFault(context.gatewayApiCrds) : undefined;
      }
      return on.flatMap((gate) => gateFaults(gate, context));
    },
  ),
  installationWarning(
    'gateway-class-not-served',
    'a GatewayClass of the controller has the feature gate that serves it',
    'pkg/gateway/constants/controller_constants.go',
    ({ deployment }, { gatewayClasses }) => {
      const gates = gatesIn(deployment);
      return gatewayClasses.flatMap(({ path, json }) => {
        const controller = String(json.spec?.controllerName);
        const fact = GATEWAY_CONTROLLERS.find((row) => row.controller === controller);
        return fact === undefined || (gates[fact.gate] ?? 'true') === 'true'
          ? []
          : [
              {
                what: `has the feature gate ${fact.gate} off, and GatewayClass ${json.metadata?.name} (${path}) is of '${controller}': nobody serves its Gateways`,
                wayOut: `switch featureGates.${fact.member} on, or acknowledge this where the class is for another cluster`,
                value: controller,
              },
            ];
      });
    },
  ),
];
