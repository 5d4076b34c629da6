import { ApiObject, App, Chart, Include, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  type ILoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  type KafkaManifestProps,
  LoadBalancerScheme,
  MetalLb,
  NlbTargetType,
} from '../../src';
import { isMap, type Json } from '../../src/contract/json';
import { stderrOf, synth } from '../support/apps';

// Manifests that somebody else wrote, as cdk8s alone writes them and with one of their listeners adopted.

export const CONTROLLERS: Readonly<Record<string, () => ILoadBalancerController>> = {
  'AWS Load Balancer Controller': () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  MetalLB: () => MetalLb.layer2({ addressPool: 'edge' }),
  'Azure cloud provider': () => AzureCloudProvider.standard(),
  GKE: () => Gke.passthrough(),
};

/** Puts manifests into a construct. */
export type Reading = (scope: Construct) => Construct;

/** As cdk8s reads a file. */
export const fromFile =
  (url: string): Reading =>
  (scope) =>
    new Include(scope, 'Existing', { url });

/** As ApiObjects that somebody makes. */
export function fromObjects(objects: readonly Json[]): Reading {
  return (scope) => {
    const construct = new Construct(scope, 'Existing');
    for (const [i, object] of objects.entries()) {
      new ApiObject(construct, `${i}`, object as never);
    }
    return construct;
  };
}

const bareChart = (): Chart => new Chart(new App(), 'kafka');

/** What cdk8s writes without this library. */
export function writtenAlone(reading: Reading, prepare: (kafka: ApiObject) => void = () => undefined): Json[] {
  const chart = bareChart();
  for (const child of reading(chart).node.findAll()) {
    if (ApiObject.isApiObject(child) && child.kind === 'Kafka') prepare(child);
  }
  return synth(chart);
}

/** The listener to adopt, or to add. */
export interface Adoption {
  readonly name: string;
  /** For a new one. */
  readonly port?: number;
  readonly controller: ILoadBalancerController;
}

/** What is written where a listener is adopted or added. */
export function writtenAdopted(
  reading: Reading,
  props: KafkaManifestProps,
  adoption: Adoption,
  prepare: (kafka: ApiObject) => void = () => undefined,
): Json[] {
  const chart = bareChart();
  const kafka = KafkaCluster.fromManifest(reading(chart), props);
  prepare(kafka.kafka);
  new KafkaLoadBalancedListener(chart, 'External', { kafka, ...adoption, scheme: LoadBalancerScheme.INTERNAL });
  let written: Json[] = [];
  stderrOf(() => {
    written = synth(chart);
  });
  return written;
}

/** All documents but one listener, and what others add to the chart. */
export function apartFrom(documents: readonly Json[], listener: string, count = documents.length): Json[] {
  return documents.slice(0, count).map((document) => {
    const listeners = document.spec?.kafka?.listeners;
    return document.kind === 'Kafka' && Array.isArray(listeners)
      ? {
          ...document,
          spec: {
            ...document.spec,
            kafka: { ...document.spec.kafka, listeners: listeners.filter(({ name }: Json) => name !== listener) },
          },
        }
      : document;
  });
}

/** One listener of the documents, with its place. */
export function listenerIn(documents: readonly Json[], name: string): { place: number; listener: Json } {
  const { listeners } = documents.find(({ kind }) => kind === 'Kafka')?.spec.kafka ?? {};
  const place = listeners.findIndex((listener: Json) => listener.name === name);
  return { place, listener: listeners[place] };
}

/** Lists that a plan extends at their ends. */
const EXTENDED = ['.configuration.finalizers', '.configuration.bootstrap.alternativeNames', '.configuration.brokers'];

/** Where something that stood there stands no more, or stands otherwise. */
export function losses(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before)) {
    return Array.isArray(after) && (after.length === before.length || EXTENDED.includes(path))
      ? before.flatMap((entry, i) => losses(entry, after[i], `${path}[${i}]`))
      : [path];
  }
  if (isMap(before)) {
    return isMap(after) && !Array.isArray(after)
      ? Object.entries(before).flatMap(([key, value]) => losses(value, after[key], `${path}.${key}`))
      : [path];
  }
  return Object.is(before, after) ? [] : [path];
}

/** Where something stands that did not. */
export function additions(before: unknown, after: unknown, path = ''): string[] {
  const [old, now] = [before, after].map((value) => (typeof value === 'object' && value !== null ? value : undefined));
  return now === undefined || old === undefined
    ? before === undefined
      ? [path]
      : []
    : Object.entries(now).flatMap(([key, value]) => additions((old as Json)[key], value, `${path}.${key}`));
}

/** The objects of a text in YAML, as cdk8s reads them. */
export const objectsIn = (file: string): Json[] => Yaml.load(file);

const FINDING = /^\[kafka\/(External|Existing\/[^\]]+)\] [^:]+: .+; .+ \([a-z][a-z0-9-]+\)$/;

/** The rules of a synth error, each once; anything but findings is thrown on. */
export function rulesIn(error: unknown): string[] {
  const [heading, ...lines] = (error as Error).message.split('\n').map((line) => line.trim());
  if (!heading.startsWith('Validation failed') || lines.length === 0 || !lines.every((line) => FINDING.test(line))) {
    throw error;
  }
  return [...new Set(lines.map((line) => line.replace(/^.*\((.+)\)$/, '$1')))];
}
