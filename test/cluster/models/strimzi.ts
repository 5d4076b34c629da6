import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HELD_RELEASES } from '../../../scripts/strimzi/strimzi-crds';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { type Api, ApiRefusal, type Body, type Ref } from '../../real/api';
import type { ControlPlane } from '../../real/control-plane';
import { AWS_RESOURCES, KEP_980 } from './owners';

/** What a listener of type loadbalancer says that ends up in its Services. */
export interface Listener {
  readonly loadBalancerClass?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Record<string, string>;
  /** The owner reference that the operator gives to its Services; `controller` of it is false. */
  readonly ownerReference?: Body;
}

/** Broker ids of the one node pool. */
const BROKERS = [0, 1, 2];
const CLUSTER = 'log';

/** The operator's two ways of writing a Service: whole objects before 0.51, server-side apply since. */
export enum StrimziWriter {
  WHOLE_OBJECTS = '0.49.1',
  SERVER_SIDE_APPLY = '1.2.0',
}

/**
 * The Services that the operator keeps for a listener, in the shape and by the names that were seen with the operators
 * 0.49.1 and 1.2.0: one for bootstrap and one for each broker (strimzi/strimzi-kafka-operator 0.49.1, KafkaCluster.java,
 * ListenersUtils.java).
 */
export function listenerServices(namespace: string, listener: Listener): Ref[] {
  const names = [`${CLUSTER}-kafka-external-bootstrap`, ...BROKERS.map((id) => `${CLUSTER}-pool-${id}`)];
  return names.map((name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { 'strimzi.io/cluster': CLUSTER, 'strimzi.io/kind': 'Kafka' },
      annotations: { ...listener.annotations },
      finalizers: [...(listener.finalizers ?? [])],
      ...(listener.ownerReference && { ownerReferences: [listener.ownerReference] }),
    },
    spec: {
      type: 'LoadBalancer',
      ...(listener.loadBalancerClass ? { loadBalancerClass: listener.loadBalancerClass } : {}),
      externalTrafficPolicy: 'Cluster',
      ports: [{ name: 'tcp-external', port: 9094, targetPort: 9094, protocol: 'TCP' }],
      selector: { 'strimzi.io/cluster': CLUSTER },
    },
  }));
}

/** One reconciliation of the listener. */
export async function reconcile(api: Api, writer: StrimziWriter, namespace: string, listener: Listener): Promise<void> {
  const write = writer === StrimziWriter.WHOLE_OBJECTS ? writeWhole : applyServerSide;
  await Promise.all(listenerServices(namespace, listener).map((service) => write(api, service)));
}

/** What deletes the Services with the Kafka resource: a delete of each. */
export async function deleteListener(api: Api, namespace: string): Promise<void> {
  await Promise.all(listenerServices(namespace, {}).map((service) => api.delete(service)));
}

/**
 * Metadata as desired, whatever others added; of the spec only what the API server allocated is carried over
 * (strimzi/strimzi-kafka-operator 0.49.1, ServiceOperator.java).
 */
async function writeWhole(api: Api, desired: Ref): Promise<void> {
  if (!(await api.find(desired))) {
    await api.create(desired, { as: 'strimzi-cluster-operator' });
    return;
  }
  const rewritten = ({ metadata: { resourceVersion }, spec }: Body): Ref => {
    const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, healthCheckNodePort } = spec;
    const allocated = { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, healthCheckNodePort };
    const ports = desired.spec.ports.map((port: Body, index: number) => ({
      ...port,
      nodePort: spec.ports[index].nodePort,
    }));
    return {
      ...desired,
      metadata: { ...desired.metadata, resourceVersion },
      spec: { ...allocated, ...desired.spec, ports },
    };
  };
  await api.rewrite(desired, rewritten, { as: 'strimzi-cluster-operator' });
}

async function applyServerSide(api: Api, desired: Ref): Promise<void> {
  await api.apply(desired, { as: 'strimzi-cluster-operator', force: true });
}

/** The releases whose definitions and model can be had, the oldest first. */
export const RELEASES = HELD_RELEASES;

/** The versions that the library knows, without their patches. */
const MINORS = [...new Set(Object.keys(STRIMZI_RELEASES).map((version) => version.replace(/\.\d+$/, '')))];

/** Of files whose name does not end with their version, as `aws-on-1.2` does. */
const VERSIONS: Readonly<Record<string, string>> = { 'first-story-put-right': '0.49' };

/**
 * The version of the operator that a manifest of ours is for.
 *
 * @throws for a file that nobody has said anything about.
 */
export function strimziVersionOf(file: string): StrimziVersion {
  const version = /-on-(\d+\.\d+(?:\.\d+)?)$/.exec(file)?.[1] ?? VERSIONS[file];
  if (!version) {
    throw new Error(
      `nobody says for which version of Strimzi ${file} is: let its name end with -on-1.2, or alike, ` +
        'or add a line to test/cluster/models/strimzi.ts',
    );
  }
  return StrimziVersion.of(version);
}

/**
 * The release that a version is held against: itself, or else the next newer one that can be had. Both serve the API
 * version that is written for it, v1beta2 up to 0.48 and v1 from 0.49; a field that came in between goes unnoticed here.
 *
 * @throws for a version newer than all of them.
 */
export function releaseFor(version: StrimziVersion): string {
  const release = RELEASES.find((each) => StrimziVersion.of(each).isAtLeast(version));
  if (!release) {
    throw new Error(`there is no release of Strimzi ${version.version} or newer to hold a manifest against`);
  }
  return release;
}

/** One version of each minor that is held against a release. */
export function versionsHeldAgainst(release: string): string[] {
  return MINORS.filter((version) => releaseFor(StrimziVersion.of(version)) === release);
}

type Write = (one: Ref) => Promise<unknown>;

let files = 0;

/**
 * One reconciliation of an operator by how it writes: with its own manifest, and without the finalizers, and the class, that this does not
 * have. Those who apply set the finalizers first.
 */
export function operatorWrites(
  plane: ControlPlane,
  operator: Api,
  user: string,
  finalizers = [AWS_RESOURCES, KEP_980],
): Readonly<Record<string, Write>> {
  const kubectl = async (verb: 'apply' | 'replace', object: Ref): Promise<void> => {
    const file = join(plane.folder, `${++files}.json`);
    writeFileSync(file, JSON.stringify(object));
    const args = ['kubectl', '--kubeconfig', plane.kubeconfig, '--as', user, verb, '-f', file];
    await promisify(execFile)(process.env.CONTROL_PLANE ?? '', args, { timeout: 60_000 }).catch((error) => {
      throw new ApiRefusal(0, 'kubectl', String(error.stderr));
    });
  };
  const patch = ({ metadata: { namespace, name } }: Ref, body: unknown, type: string) =>
    operator.call('PATCH', `/api/v1/namespaces/${namespace}/services/${name}`, body, `application/${type}+json`);
  const declared = (one: Ref): Ref => ({ ...one, metadata: { ...one.metadata, finalizers } });
  const bare = ({ metadata: { labels }, spec: { loadBalancerClass = null } }: Ref): Body => ({
    metadata: { finalizers: null, labels },
    spec: { loadBalancerClass },
  });
  return {
    'PUT of the whole object': (one) =>
      operator.rewrite(one, ({ metadata: { resourceVersion }, spec: { clusterIP, clusterIPs } }) => ({
        ...one,
        metadata: { ...one.metadata, resourceVersion },
        spec: { ...one.spec, clusterIP, clusterIPs },
      })),
    'kubectl replace': (one) => kubectl('replace', one),
    // client-side apply removes what it applied last time
    'client-side apply': async (one) => {
      await kubectl('apply', declared(one));
      await kubectl('apply', one);
    },
    'server-side apply': async (one) => {
      await operator.apply(declared(one), { as: 'applier', force: true });
      await operator.apply(one, { as: 'applier', force: true });
    },
    'merge patch': (one) => patch(one, bare(one), 'merge-patch'),
    'strategic merge patch': (one) => patch(one, bare(one), 'strategic-merge-patch'),
    'JSON patch': (one) =>
      patch(
        one,
        [
          { op: 'add', path: '/metadata/finalizers', value: [] },
          { op: 'add', path: '/metadata/labels', value: one.metadata.labels },
          ...(one.spec.loadBalancerClass ? [] : [{ op: 'add', path: '/spec/loadBalancerClass', value: null }]),
        ],
        'json-patch',
      ),
  };
}
