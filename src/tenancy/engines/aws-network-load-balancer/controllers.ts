import type { IConstruct } from 'constructs';
import { isMap, type Json, list } from '../../../contract/json';
import { VERSION_LABEL } from '../../../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../../../contract/load-balancer-finding';
import { flagsAmong, wordsOf } from '../../../contract/program-flags';
import { AWS_LBC_CONTROLLER } from '../../../controllers/aws-load-balancer-controller/annotations';
import { appIndexOf } from '../../../rules/app-objects';
import type { ObjectIndex } from '../../../rules/objects';
import type { Rule } from '../../../rules/rule';
import { RuleSet } from '../../../rules/rule-set';
import { errorRule } from '../../fault';
import { NLB_GATEWAY_GATES, NLB_GATEWAY_SINCE } from './facts';

/** What is known of a Deployment of the controller. */
interface NlbControllerContext {
  /** The Deployment as messages name it; set where the app shares an NLB among tenants. */
  readonly title?: string;
}

const SINCE = `${NLB_GATEWAY_SINCE.join('.')}.0`;
const ELSEWHERE = 'make it in an app of its own if it is for another cluster';

/** What a Deployment of the controller needs where an NLB of tenants is in its app. */
export const NLB_CONTROLLER_RULES: readonly Rule<NlbControllerContext>[] = [
  {
    ...errorRule(
      'nlb-gateway-version',
      'an AWS Load Balancer Controller in the app of an NLB of tenants is of a version that reads TCPRoute and its own kinds in v1',
    ),
    on: ['spec.template.spec.containers'],
    needs: ['title'],
    supersedes: ['nlb-gateway-off'],
    judge: (deployment, { title }) =>
      controllersIn(deployment)
        .filter(({ isOld }) => isOld)
        .map(({ version }) => ({
          what: `${title} is of version ${version}, which reads neither TCPRoute nor its own kinds in v1: tenants would have no ports`,
          remedy: `use ${SINCE} or newer, or ${ELSEWHERE}`,
          value: version,
        })),
  },
  {
    ...errorRule(
      'nlb-gateway-off',
      'an AWS Load Balancer Controller in the app of an NLB of tenants has its NLB gateway and its listener sets on',
    ),
    on: ['spec.template.spec.containers'],
    needs: ['title'],
    judge: (deployment, { title }) =>
      controllersIn(deployment)
        .filter(({ off }) => off.length > 0)
        .map(({ off }) => ({
          what: `${title} has the feature ${off.length === 1 ? 'gate' : 'gates'} ${off.join(' and ')} off: tenants would have no ports`,
          remedy: `switch ${off.length === 1 ? 'it' : 'them'} on, or ${ELSEWHERE}`,
        })),
  },
];

const RULE_SET = new RuleSet(NLB_CONTROLLER_RULES);

/**
 * Why no controller of the app serves Gateways with listener sets. An app without a controller shows nothing of what runs in
 * the cluster, and of several, each may be for a cluster of its own.
 */
export function controllerFaults(host: IConstruct, who: string): LoadBalancerFinding[] {
  const found = deploymentsIn(appIndexOf(host)).map(
    ([title, deployment]) => RULE_SET.judge(deployment, { title }, who).errors,
  );
  return found.every((errors) => errors.length > 0) ? found.slice(0, 1).flatMap((errors) => errors.slice(0, 1)) : [];
}

/** Deployments of the controller, as they are written. */
function deploymentsIn(index: ObjectIndex): readonly (readonly [title: string, deployment: Json])[] {
  return index.once(deploymentsIn, () =>
    index
      .of('apps', 'Deployment')
      .map(({ name, path, json }) => [`Deployment ${name} (${path})`, json] as const)
      .filter(([, deployment]) => controllersIn(deployment).length > 0),
  );
}

/** A container that runs the controller. */
interface Controller {
  /** Feature gates that are off. */
  readonly off: readonly string[];
  /** The tag of the image, or the version label where the tag is not a version. */
  readonly version?: string;
  readonly isOld: boolean;
}

function controllersIn({ metadata, spec }: Json): Controller[] {
  return list<Json>(spec?.template?.spec?.containers)
    .filter(isController)
    .map((container) => controllerOf(container, metadata?.labels?.[VERSION_LABEL]));
}

/** By its image, or where a private registry renames that, by its own name. */
function isController(container: unknown): boolean {
  return isMap(container) && (container.name === AWS_LBC_CONTROLLER || imageOf(container).name === AWS_LBC_CONTROLLER);
}

function controllerOf(container: Json, label: unknown): Controller {
  const gates = gatesOf(container);
  const { tag } = imageOf(container);
  const written = [tag, label].find((text) => VERSION.test(String(text)));
  const version = VERSION.exec(String(written));
  const [major, minor] = (version ?? []).slice(1).map(Number);
  const [sinceMajor, sinceMinor] = NLB_GATEWAY_SINCE;
  return {
    off: NLB_GATEWAY_GATES.filter((gate) => FALSE.includes(gates[gate])),
    version: version === null ? undefined : String(written),
    isOld: version !== null && (major < sinceMajor || (major === sinceMajor && minor < sinceMinor)),
  };
}

const VERSION = /^v?(\d+)\.(\d+)/;

function imageOf({ image }: Json): { readonly name: string; readonly tag?: string } {
  const [last] = String(image ?? '')
    .split('@')[0]
    .split('/')
    .slice(-1);
  const [name, tag] = last.split(':');
  return { name, tag };
}

/** The gates that the flags of a container set; the last of several flags counts. */
function gatesOf(container: Json): Record<string, string> {
  const flags = flagsAmong(wordsOf(container)).filter(({ name }) => name === 'feature-gates');
  const pairs = (flags.at(-1)?.value ?? '').split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  return Object.fromEntries(pairs.map(([gate, value = '']) => [gate, value]));
}

/** As the controller reads it. golang/go: strconv.ParseBool */
const FALSE = ['false', 'False', 'FALSE', 'f', 'F', '0'];
