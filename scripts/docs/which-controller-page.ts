import { App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  ClientAddress,
  LoadBalancedService,
  LoadBalancerScheme,
  LoadBalancers,
  type LoadBalancerWishes,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { BalancerTarget, ClientAddressMeans, type LoadBalancerModel } from '../../src/contract/load-balancer-model';
import type { ILoadBalancerController } from '../../src/contract/load-balancer-request';
import { billOf } from '../../src/cost/bill';
import { quotaUseOf } from '../../src/cost/quota-use';
import { balancerModelOf, type ControllerDefinition } from '../../src/rules/controller-definition';
import { isUnknown } from '../../src/traffic/fraction';
import { readService } from '../../src/traffic/input';
import { type Path, pathOf } from '../../src/traffic/path';
import { limitsOf } from './balancer-limits';
import { factoriesOf, finalizersOf } from './controllers-page';
import { codes, page, table } from './markdown';

/** The cluster of the page: as many nodes, zones and pods, one pod on each node. */
const SIZE = 3;
const PLACES = Array.from({ length: SIZE }, (_, i) => `${i + 1}`);
const NODES = PLACES.map((place) => ({
  name: `node-${place}`,
  zone: `zone-${place}`,
  labels: {},
  taints: [],
  ready: true,
  excluded: false,
}));
const PODS = PLACES.map((place) => ({ name: `web-${place}`, node: `node-${place}`, ready: true, terminating: false }));

/** How the products of a cloud begin, and how people call it. */
const CLOUDS: Readonly<Record<string, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
  hetzner: 'Hetzner Cloud',
  none: 'Your own network',
};

/** Other balancers that a controller makes when it is told to. */
const MORE: Readonly<Record<string, Readonly<Record<string, () => ILoadBalancerController>>>> = {
  'cloud-provider-aws': { nlb: () => AwsCloudProvider.nlb() },
};

/** What a Service asks for, and how the page calls it where the targets do not show it. */
const WAYS: readonly (readonly [string, Partial<LoadBalancerWishes>])[] = [
  ['', {}],
  ['', { trafficPolicy: TrafficPolicy.LOCAL }],
  ['clientAddress PRESERVE', { clientAddress: ClientAddress.PRESERVE }],
  ['PROXY protocol', { proxyProtocol: true }],
];

/** One balancer for one Service. */
interface Choice {
  readonly kind: ControllerDefinition;
  /** The controller, with the variant where it is not the default. */
  readonly name: string;
  readonly way: string;
  readonly service: Json;
  readonly made: LoadBalancerModel;
}

/** What each controller makes of one Service, side by side, by cloud. */
export function whichControllerPage(
  kinds: readonly ControllerDefinition[],
  vendors: readonly ControllerDefinition[],
): string {
  const choices = kinds.flatMap(choicesOf);
  return page(
    '# Which controller',
    `The load balancer that each controller creates for one internet-facing Service with one port, in a cluster of ${SIZE} nodes in ${SIZE} zones with one pod on each node. The figures come from the model of \`report\`. Prices are list prices of the region and the date beside them, before traffic.`,
    '- **Second hop**: the share of connections that the first node forwards to another node. They break with either of the two nodes.\n- **Fails first**: the limit that growing nodes, pods or ports reach first, and the default number of load balancers of an account.',
    ...[...new Set([...Object.keys(CLOUDS), ...choices.map(cloudOf)])].flatMap((cloud) => {
      const its = choices.filter((choice) => cloudOf(choice) === cloud);
      const owners = [...new Set(its.map(({ kind }) => kind))];
      return its.length === 0 ? [] : [`## ${CLOUDS[cloud] ?? cloud}`, rowsOf(its), factsOf(owners)];
    }),
    "[All controllers](reference/controllers.md), [traffic policy and the client's address](explanation/traffic-policy.md), [keep the address](how-to/keep-load-balancers.md#reserve-an-address).",
    '## Other clouds and clusters',
    'The model of `report` does not have these controllers. Those without a factory are [read and not written](reference/controllers.md#controllers-of-other-vendors).',
    table(
      ['controller', 'makes', 'written by', 'class', 'finalizer', 'chooses nodes by'],
      vendors.map((kind) => [
        kind.name,
        kind.facts.product,
        codes(factoriesOf(kind)),
        codes(kind.classes),
        finalizersOf(kind),
        kind.facts.nodes,
      ]),
    ),
  );
}

/** How the product begins: a cloud that has no name for people is called so. */
function cloudOf({ made }: Choice): string {
  return made.product.split('/')[0];
}

function choicesOf(kind: ControllerDefinition): Choice[] {
  const variants = { ...kind.variants, ...MORE[kind.name] };
  const controllers: [string, () => ILoadBalancerController][] = [
    [kind.name, () => kind.installed()],
    ...Object.entries(variants).map(([name, make]): [string, typeof make] => [`${kind.name}, ${name}`, make]),
  ];
  const choices = controllers.flatMap(([name, make]) =>
    WAYS.flatMap(([way, wishes]) => {
      const service = serviceOf(make(), wishes);
      const services = service ? [service, kind.withPodTargets?.(service) ?? service] : [];
      return services.flatMap((object): Choice[] => {
        const made = balancerModelOf(object, make(), []);
        return made ? [{ kind, name, service: object, made, way: wayOf(way, object, made) }] : [];
      });
    }),
  );
  const seen = new Set<string>();
  return choices.filter((choice) => {
    const key = cellsOf(choice).slice(1).join('|');
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** What the targets are, and what was asked for where they do not show it: connections to pods do not pass the policy. */
function wayOf(way: string, service: Json, { target, clientAddress }: LoadBalancerModel): string {
  const isPods = target === BalancerTarget.POD;
  const policy: string = service.spec?.externalTrafficPolicy ?? TrafficPolicy.CLUSTER;
  const asked = clientAddress === ClientAddressMeans.PROXY_PROTOCOL ? 'PROXY protocol' : isPods ? way : '';
  return [...(isPods ? ['pods'] : ['nodes', policy]), ...(asked === '' ? [] : [asked])].join(', ');
}

/** The Service as it is written; nothing where the controller has no such balancer. */
function serviceOf(controller: ILoadBalancerController, wishes: Partial<LoadBalancerWishes>): Json | undefined {
  const chart = new Chart(new App(), 'chart', { namespace: 'edge' });
  const scheme = LoadBalancerScheme.INTERNET_FACING;
  const props = { name: 'web', controller, selector: { app: 'web' }, ports: [{ port: 443 }], scheme, ...wishes };
  const { plan } = new LoadBalancedService(chart, 'web', props);
  if ((plan.problems ?? []).length > 0) {
    return undefined;
  }
  const service = chart.node.findAll().flatMap(jsonOf)[0];
  const isRetired = LoadBalancers.of(chart).warnings.some(({ finding }) => finding.ruleId.endsWith('-retired'));
  return isRetired ? undefined : service;
}

function jsonOf(construct: object): Json[] {
  const { kind, toJson } = construct as { kind?: string; toJson?: () => Json };
  return kind === 'Service' && toJson ? [toJson.call(construct)] : [];
}

const COLUMNS = [
  'controller',
  'makes',
  'targets, policy',
  'hops',
  'second hop',
  "client's address",
  'a month',
  'fails first',
];

function rowsOf(choices: readonly Choice[]): string {
  return table(COLUMNS, choices.map(cellsOf));
}

function cellsOf(choice: Choice): string[] {
  const { name, made, way } = choice;
  const path = pathIn(choice);
  return [
    name,
    made.name,
    way,
    typeof path === 'string' ? path : hopsOf(path),
    typeof path === 'string' ? '–' : partOf(path.shares.secondHop.value),
    typeof path === 'string' ? '–' : addressOf(path),
    costOf(choice),
    limitsIn(choice),
  ];
}

function pathIn({ service, made }: Choice): Path | string {
  const read = readService(service);
  if (isUnknown(read)) {
    return read.unknown;
  }
  const path = pathOf({ ...read, balancer: made, nodes: NODES, pods: PODS });
  return isUnknown(path) ? path.unknown : path;
}

/** The client is no hop, and the pod is the last. */
function hopsOf({ hops, shares }: Path): string {
  const places = hops.map(({ place }) => place).filter((place) => place !== 'client' && place !== 'kube-proxy');
  const least = places.length;
  return shares.secondHop.value > 0
    ? `${least} or ${least + 1}: ${places.join(', ')}`
    : `${least}: ${places.join(', ')}`;
}

function partOf(value: number): string {
  return value === 0 ? 'none' : `${Math.round(value * 100)} %`;
}

function addressOf({ clientAddress: { survives, means, lostAt } }: Path): string {
  if (survives) {
    return means === ClientAddressMeans.PROXY_PROTOCOL ? 'in the PROXY header' : 'kept';
  }
  return `lost at the ${lostAt}`;
}

/** How the balancer is counted. */
function billed({ kind, made }: Choice) {
  const ports = ['443/TCP'];
  return [{ made, owner: kind.name, namespace: 'edge', name: 'web', zones: SIZE, targets: SIZE, ports }];
}

function costOf(choice: Choice): string {
  const { text, lines, prices, assumedRegions } = billOf(billed(choice), { zones: SIZE });
  if (lines.length === 0) {
    return 'nothing';
  }
  const dates = [...new Set(prices.map(({ read }) => read))].sort();
  return [text.split(', traffic not counted')[0], ` (${[...assumedRegions, ...dates].join(', ')})`].join('');
}

function limitsIn(choice: Choice): string {
  const [first] = limitsOf(choice.made);
  const { uses } = quotaUseOf(billed(choice), { zones: SIZE });
  const account = uses.find(
    ({ name, used, limit }) => /per region|of all projects/i.test(name) && used !== undefined && limit !== undefined,
  );
  const words = [
    ...(first ? [`${first.at.value} ${first.of} (${first.name})`] : []),
    ...(account?.limit !== undefined && account.used
      ? [`${Math.floor(account.limit / account.used)} balancers (${account.name})`]
      : []),
  ];
  return words.join('; ') || '–';
}

function factsOf(kinds: readonly ControllerDefinition[]): string {
  return table(
    ['controller', 'class', 'finalizer', 'chooses nodes by'],
    kinds.map((kind) => [
      `[${kind.name}](reference/annotations/${kind.name}.md)`,
      codes(kind.classes),
      finalizersOf(kind),
      kind.facts.nodes,
    ]),
  );
}
