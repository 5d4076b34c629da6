import { join, relative } from 'node:path';
import { balancersIn } from '../../src/cli/balancers';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { readManifests } from '../../src/cli/manifests';
import type { Report } from '../../src/report/make-report';
import { makeReport } from '../../src/report/make-report';
import type { BalancerToReport, ReportOptions } from '../../src/report/paths';
import { VARIANTS } from '../../src/traffic/what-if';
import { balancer } from '../traffic/inputs';

/** Uneven pods, a second hop, pods as targets, targets without pods, brokers, and a Service without an owner. */
export function stories(): Report {
  const folder = relative(process.cwd(), join(__dirname, 'stories'));
  const { balancers, options } = balancersIn(readManifests([folder]), NO_CONTEXT);
  return makeReport(balancers, { ...options, variants: VARIANTS, region: 'eu-west-1' });
}

export interface Names {
  readonly namespace: string;
  readonly name: string;
  readonly owner?: string;
  readonly tenant?: string;
  readonly place?: string;
  readonly madeBy?: string;
}

/** The balancer of a Service with policy Local; its pods are those of the app of its name. */
export function balancerOf({
  namespace,
  name,
  owner = 'acme',
  place = 'k8s/all.yaml:1',
  ...more
}: Names): BalancerToReport {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', selector: { app: name }, ports: [{ port: 80 }] };
  return {
    service: { metadata: { namespace, name }, spec },
    namespace,
    name,
    owner,
    place,
    made: balancer({ product: 'aws/nlb', name: 'Network Load Balancer' }),
    workloads: [],
    ...more,
  };
}

const READY = { conditions: [{ type: 'Ready', status: 'True' }] };

export function nodeOf(name: string, zone = 'a'): unknown {
  return { kind: 'Node', metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } }, status: READY };
}

export function podOf(namespace: string, app: string, name: string, nodeName: string): unknown {
  return { kind: 'Pod', metadata: { namespace, name, labels: { app } }, spec: { nodeName }, status: READY };
}

export function reportOf(balancers: readonly BalancerToReport[], options: ReportOptions = {}): Report {
  return makeReport(balancers, { variants: VARIANTS, zones: 1, ...options });
}
