import { compareVersions, reaches } from '../../contract/compare-versions';
import { type Json, list, objectNameOf } from '../../contract/json';
import type { Finding } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { someOf } from '../served-services';
import type { GatewayApiNeed } from '../tables';
import { GATEWAY_API_BUNDLE, GATEWAY_API_GROUP, GATEWAY_API_NEEDS, GATEWAY_CONTROLLERS } from './installation.facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';
import { gatesIn } from './rules';

function needOf(version: string): GatewayApiNeed {
  return GATEWAY_API_NEEDS.find(({ of }) => reaches({ version }, of)) ?? GATEWAY_API_NEEDS[0];
}

/** A version that may have a v before it and more behind it. */
function versionIn(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+)/.exec(text)?.[1];
}

function versionFault(given: string, { since: oldest }: GatewayApiNeed): Finding | undefined {
  const version = versionIn(given);
  if (!version) {
    return {
      what: `gatewayApiCrds '${given}' is not a version`,
      remedy: `write it like ${oldest}`,
      value: given,
    };
  }
  return compareVersions(version, oldest) < 0
    ? {
        what: `has a feature gate of the Gateway API, finds it in version ${given}, and wants ${oldest}: after two minutes the whole controller exits`,
        remedy: `apply the Gateway API ${oldest} first, or leave the gate out`,
        value: given,
      }
    : undefined;
}

/** Why the controller does not find its kind in a CRD, or nothing. */
function crdFault(crd: Json, wanted: string, { since }: GatewayApiNeed): string | undefined {
  const served = list<Json>(crd.spec?.versions)
    .filter((version) => version?.served === true)
    .map(({ name }) => String(name));
  if (!served.includes(wanted)) {
    return `serves ${served.join(', ') || 'no version'}, not ${wanted}`;
  }
  const bundle = annotationsOf(crd)[GATEWAY_API_BUNDLE];
  const version = bundle === undefined ? undefined : versionIn(bundle);
  return version !== undefined && compareVersions(version, since) < 0 ? `is of the Gateway API ${bundle}` : undefined;
}

function gateFaults(gate: string, { crdsNamed, version = '', saysGatewayApi }: InstallationContext): Finding[] {
  const need = needOf(version);
  const oldest = need.since;
  const kinds = Object.entries(need.kinds[gate]).map(
    ([plural, wanted]) => [`${plural}.${GATEWAY_API_GROUP}`, wanted] as const,
  );
  const missing = kinds.map(([name]) => name).filter((name) => crdsNamed(name).length === 0);
  const unfit = kinds.flatMap(([name, wanted]) => {
    const faults = crdsNamed(name).map((crd) => crdFault(crd, wanted, need));
    return faults.length > 0 && faults.every((fault) => fault !== undefined) ? [`${name} ${faults[0]}`] : [];
  });
  return [
    ...(missing.length === 0 || !saysGatewayApi
      ? []
      : [
          {
            what: `has the feature gate ${gate}, and it is unknown whether the cluster has ${missing.join(', ')}: without them the whole controller exits after two minutes`,
            remedy: `apply the Gateway API first and set gatewayApiCrds to '${oldest}', have its CRDs in this app, or leave the gate out`,
            value: gate,
          },
        ]),
    ...(unfit.length === 0
      ? []
      : [
          {
            what: `has the feature gate ${gate}, wants the Gateway API ${oldest}, and finds CRDs in this app of which ${someOf(unfit)}: after two minutes the whole controller exits`,
            remedy: `take the CRDs of the Gateway API ${oldest}, set gatewayApiCrds to what the cluster has, or leave the gate out`,
            value: gate,
          },
        ]),
  ];
}

/** The gates of the Gateway API that are on; that of listener sets does nothing without another one. */
function gatesOn(deployment: Json): string[] {
  const gates = gatesIn(deployment);
  const isOn = gates.NLBGatewayAPI === 'true' || gates.ALBGatewayAPI === 'true';
  return Object.keys(GATEWAY_API_NEEDS[0].kinds).filter((gate) => isOn && gates[gate] === 'true');
}

/** What must be true between the controller and the Gateway API. */
export const GATEWAY_API_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'gateway-api-crds',
    'gate of the Gateway API whose kinds the cluster lacks, or has in another version',
    'pkg/gateway/crddetect/gateway_feature_flags.go',
    (deployment, context) => {
      const on = gatesOn(deployment);
      if (context.gatewayApiCrds !== undefined) {
        return on.length > 0 ? versionFault(context.gatewayApiCrds, needOf(context.version ?? '')) : undefined;
      }
      return on.flatMap((gate) => gateFaults(gate, context));
    },
    ['version'],
  ),
  installationWarning(
    'gateway-class-not-served',
    'GatewayClass whose feature gate is off',
    'pkg/gateway/constants/controller_constants.go',
    (deployment, { gatewayClasses }) => {
      const gates = gatesIn(deployment);
      return gatewayClasses.flatMap(({ path, json }) => {
        const controller = String(json.spec?.controllerName);
        const fact = GATEWAY_CONTROLLERS.find((row) => row.controller === controller);
        return fact === undefined || (gates[fact.gate] ?? 'true') === 'true'
          ? []
          : [
              {
                what: `has the feature gate ${fact.gate} off, and GatewayClass ${objectNameOf(json)} (${path}) is of '${controller}': no controller serves its Gateways`,
                remedy: `switch the gate ${fact.gate} on, or acknowledge this where the class is for another cluster`,
                value: controller,
              },
            ];
      });
    },
  ),
];
