import { Confidence } from '../../src/contract/kubernetes.facts';
import { LoadBalancerScheme } from '../../src/contract/load-balancer-scheme';
import {
  BalancerChoice,
  BalancerTarget,
  ClientAddressMeans,
  type MadeBalancer,
} from '../../src/contract/made-balancer';
import type { BilledBalancer } from '../../src/cost/balancers';
import { billOf } from '../../src/cost/bill';
import type { BillOptions } from '../../src/cost/charge';
import { type QuotaOptions, quotaUseOf } from '../../src/cost/quota-use';
import { sharingOf } from '../../src/cost/sharing';
import type { Report, ReportedPath } from '../../src/report/report';
import { isUnknown } from '../../src/traffic/figure';
import { growthOf } from '../../src/traffic/growth';
import { todayInWords } from '../../src/traffic/in-words';
import { lossOfNode, lossOfZone } from '../../src/traffic/loss';
import { pathOf } from '../../src/traffic/path';
import type { TrafficInput } from '../../src/traffic/traffic-input';
import { VARIANTS, whatIf } from '../../src/traffic/what-if';
import { input, LOCAL, nodes, pods, SERVICE, SERVICE_HEALTH } from '../traffic/inputs';

// Reports to show, made of the model and the tables themselves.

const SOURCE = { repository: 'kubernetes-sigs/aws-load-balancer-controller', version: 'v3.1.0', file: 'docs' };

/** A Network Load Balancer with node ports as targets. */
export function networkBalancer(more: Partial<MadeBalancer> = {}): MadeBalancer {
  return {
    product: 'aws/nlb',
    name: 'Network Load Balancer',
    scheme: LoadBalancerScheme.INTERNET_FACING,
    target: BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    crossZone: false,
    clientAddress: ClientAddressMeans.SOURCE,
    healthCheck: { ...SERVICE_HEALTH, interval: 10, failures: 3 },
    listeners: 1,
    publicAddresses: { count: 1, perZone: true },
    limits: [{ counts: 'targets', name: 'targets per NLB', limit: 3000, each: 1, source: SOURCE }],
    source: SOURCE,
    confidence: Confidence.SOURCE,
    ...more,
  };
}

/** A Classic Load Balancer, which asks every node the same. */
export function classicBalancer(more: Partial<MadeBalancer> = {}): MadeBalancer {
  return networkBalancer({
    product: 'aws/clb',
    name: 'Classic Load Balancer',
    crossZone: true,
    clientAddress: ClientAddressMeans.NONE,
    healthCheck: { answeredBy: 'kube-proxy', protocol: 'TCP', port: 'node port', interval: 10, failures: 6 },
    publicAddresses: { count: 1, perZone: false },
    limits: [],
    ...more,
  });
}

/** One row, and the Services that it is for. */
export interface Row {
  readonly names: readonly string[];
  readonly input: TrafficInput;
  readonly owner?: string;
  readonly tenant?: string;
  readonly billed?: Partial<BilledBalancer>;
}

export function rowOf({ names, input: given, owner = 'aws-load-balancer-controller' }: Row): ReportedPath {
  const path = pathOf(given);
  const [node] = given.nodes;
  const policy = `${given.service.externalTrafficPolicy}, targets are ${given.balancer?.target === BalancerTarget.POD ? 'pods' : 'nodes'}`;
  const ip = given.balancer && {
    ...given.balancer,
    target: BalancerTarget.POD,
    healthCheck: { ...given.balancer.healthCheck, answeredBy: 'pod', protocol: 'TCP', port: 'traffic port' } as const,
  };
  return {
    services: names,
    owner,
    balancer: given.balancer ? [given.balancer.name, given.balancer.scheme].filter(Boolean).join(', ') : 'unknown',
    policy,
    path,
    words: todayInWords(given, path),
    alternatives: whatIf(given, VARIANTS, { ...(ip ? { ip } : {}) }),
    ...(node ? { lossOfNode: lossOfNode(given, isUnknown(path) ? node.name : busiest(path.shares.nodes)) } : {}),
    ...(node?.zone ? { lossOfZone: lossOfZone(given, node.zone) } : {}),
    growth: growthOf(given),
  };
}

function busiest(places: readonly { readonly name: string; readonly touches: { readonly share: number } }[]): string {
  return places.reduce((most, place) => (place.touches.share > most.touches.share ? place : most)).name;
}

export function reportOf(
  rows: readonly Row[],
  options: BillOptions & QuotaOptions = {},
  more: Partial<Report> = {},
): Report {
  const billed = rows.flatMap(({ names, input: given, owner = 'aws-load-balancer-controller', tenant, billed: own }) =>
    names.flatMap((each): BilledBalancer[] => {
      const [namespace, name] = each.split('/');
      const known = { owner, namespace, name, ...(tenant ? { tenant } : {}), targets: given.nodes.length, ...own };
      return given.balancer ? [{ made: given.balancer, ...known }] : [];
    }),
  );
  const bill = billOf(billed, options);
  const quotas = quotaUseOf(billed, options);
  const paths = rows.map(rowOf);
  const assumed = paths.flatMap(({ path }) => (isUnknown(path) ? [] : path.shares.assumptions));
  return {
    balancers: billed.map(({ namespace, name, owner, made, tenant }, index) => ({
      service: {},
      namespace,
      name,
      owner,
      made,
      ...(tenant ? { tenant } : {}),
      workloads: [],
      place: `k8s/${namespace}.yaml:${index + 1}`,
    })),
    owners: [],
    paths,
    bill,
    pricesOf: '2026-05',
    quotas,
    sharing: sharingOf(billed, options).all,
    assumptions: [...new Set(assumed)],
    needs: [
      ...new Set(
        [...bill.needs, ...quotas.uses.flatMap(({ needs }) => needs)].map(({ what, remedy }) => `${what}; ${remedy}`),
      ),
    ],
    notes: [],
    ...more,
  };
}

const POOLS = nodes('eu-west-1a-10 eu-west-1b-11 eu-west-1c-12').map((node, index) => ({
  ...node,
  name: `ip-10-0-${index + 1}-${11 + 23 * index}.eu-west-1.compute.internal`,
  zone: `eu-west-1${'abc'[index]}`,
}));

const [A, B, C] = POOLS.map(({ name }) => name);

const on = (workload: string, ...names: string[]) =>
  pods(names.join(' ')).map((pod, index) => ({ ...pod, name: `${workload}-${index}` }));

/** Kafka behind Network Load Balancers, a website behind a Classic one, pods that are uneven, and pods that no target reaches. */
export function fiveStories(): Report {
  const placed = { assumptions: ['pods are assumed to be spread evenly, which nothing in the workloads demands'] };
  return reportOf(
    [
      {
        names: ['shop/echo'],
        tenant: 'shop',
        input: input({
          ...placed,
          service: { ...LOCAL, name: 'shop/echo' },
          balancer: networkBalancer({ crossZone: true }),
          nodes: POOLS,
          pods: on('echo', A, B, B),
        }),
      },
      {
        names: ['web/nginx', 'web/nginx-canary'],
        owner: 'the cloud provider of AWS in the cluster',
        tenant: 'web',
        input: input({
          ...placed,
          service: { ...SERVICE, name: 'web/nginx' },
          balancer: classicBalancer(),
          nodes: POOLS,
          pods: on('nginx', A, B, C),
        }),
      },
      {
        names: ['kafka/events-bootstrap', 'kafka/events-0', 'kafka/events-1', 'kafka/events-2'],
        tenant: 'data',
        input: input({
          service: { ...SERVICE, name: 'kafka/events-bootstrap' },
          balancer: networkBalancer({
            target: BalancerTarget.POD,
            healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: 'traffic port', interval: 10, failures: 3 },
          }),
          nodes: POOLS,
          pods: on('events-kafka', A, B, C),
        }),
      },
      {
        names: ['echo/pinned-elsewhere'],
        tenant: 'shop',
        input: input({
          service: { ...LOCAL, name: 'echo/pinned-elsewhere' },
          balancer: networkBalancer({ nodeLabels: { pool: 'edge' } }),
          nodes: POOLS.map((node, index) => ({ ...node, labels: { pool: index === 2 ? 'batch' : 'edge' } })),
          pods: on('echo', C, C),
        }),
      },
    ],
    { region: 'us-east-1', zones: 3, quotas: {} },
    { needs: ['traffic in gigabytes for its price; give --gb-per-month'] },
  );
}
