import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, type Json, list } from '../../contract/json';
import { VERSION_LABEL } from '../../contract/kubernetes.facts';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { lookAt } from '../../rules/judge-object';
import { perMoment } from '../../rules/per-moment';
import { NLB_GATEWAY_GATES, NLB_GATEWAY_SINCE } from './aws-network-load-balancer.facts';
import type { EngineFault } from './shared-engine';

/** A Deployment of the controller, as it is written. */
interface Controller {
  readonly title: string;
  /** Feature gates that are off. */
  readonly off: readonly string[];
  /** The tag of the image, or its label where that says no version. */
  readonly version?: string;
  readonly isOld: boolean;
}

/**
 * Why no controller of the app serves Gateways with listener sets. An app without one says nothing of what runs in the
 * cluster, and of several, each may be for a cluster of its own.
 */
export function controllerFaults(host: IConstruct): EngineFault[] {
  const controllers = controllersIn(host);
  const faults = controllers.map(faultOf);
  const [first] = faults;
  return first !== undefined && faults.every((fault) => fault !== undefined) ? [first] : [];
}

function faultOf({ title, off, version, isOld }: Controller): EngineFault | undefined {
  const since = `${NLB_GATEWAY_SINCE.join('.')}.0`;
  const elsewhere = 'make it in an app of its own where it is for another cluster';
  if (isOld) {
    return {
      ruleId: 'nlb-gateway-version',
      what: `${title} is of version ${version}, which reads neither TCPRoute nor its own kinds in v1: tenants would have no ports`,
      remedy: `use ${since} or newer, or ${elsewhere}`,
    };
  }
  return off.length > 0
    ? {
        ruleId: 'nlb-gateway-off',
        what: `${title} has the feature ${off.length === 1 ? 'gate' : 'gates'} ${off.join(' and ')} off: tenants would have no ports`,
        remedy: `switch ${off.length === 1 ? 'it' : 'them'} on, or ${elsewhere}`,
      }
    : undefined;
}

const controllersIn = perMoment((root) =>
  root.node
    .findAll()
    .filter((object): object is ApiObject => ApiObject.isApiObject(object) && object.kind === 'Deployment')
    .flatMap((object) => {
      const deployment = lookAt(object);
      return list<Json>(deployment.spec?.template?.spec?.containers)
        .filter(isController)
        .map((container) =>
          controllerOf(
            `Deployment ${object.name} (${object.node.path})`,
            container,
            deployment.metadata?.labels?.[VERSION_LABEL],
          ),
        );
    }),
);

/** By its image, or where that has another name in a registry of one's own, by its own name. */
function isController(container: unknown): boolean {
  return isMap(container) && (container.name === AWS_LBC || imageOf(container).name === AWS_LBC);
}

function controllerOf(title: string, container: Json, label: unknown): Controller {
  const gates = gatesOf(container);
  const { tag } = imageOf(container);
  const said = [tag, label].find((text) => VERSION.test(String(text)));
  const version = VERSION.exec(String(said));
  const [major, minor] = (version ?? []).slice(1).map(Number);
  const [sinceMajor, sinceMinor] = NLB_GATEWAY_SINCE;
  return {
    title,
    off: NLB_GATEWAY_GATES.filter((gate) => FALSE.includes(gates[gate])),
    version: version === null ? undefined : String(said),
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

/** The gates that the flags of a container say; of a flag that stands twice the last one counts. */
function gatesOf({ command, args }: Json): Record<string, string> {
  const texts = [...list(command), ...list(args)].map(String);
  const said = texts.flatMap((text, i) => {
    const match = /^--?feature-gates(?:=(.*))?$/s.exec(text);
    return match ? [match[1] ?? texts[i + 1] ?? ''] : [];
  });
  const pairs = (said.at(-1) ?? '').split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  return Object.fromEntries(pairs.map(([gate, value = '']) => [gate, value]));
}

/** As the controller reads it. golang/go: strconv.ParseBool */
const FALSE = ['false', 'False', 'FALSE', 'f', 'F', '0'];
