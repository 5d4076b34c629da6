import { ApiObject, Names } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import { RenderStage, renderLate } from '../../contract/late-rendering';
import { perApp } from '../../contract/per-app';
import { SynthWatch } from '../../rules/synth-watch';
import { refuse } from '../fault';
import { POLICY_NAME, POLICY_NAME_TWICE } from './rules';

const madeIn = perApp(() => new Map<string, string>());

/** What makes an object that belongs to no namespace. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly labels?: { [key: string]: string };
  /** Everything beside `metadata`. */
  readonly content: Json;
}

/** An object without a namespace: cdk8s writes that of the chart into every object. There is one of a name in a cluster. */
export function clusterObject(host: Construct, id: string, object: ClusterObject): ApiObject {
  const { apiVersion, kind, name, labels, content } = object;
  const fault = name.includes('*') ? `'${name}' is not a valid object name` : dnsNameFault(name);
  if (fault) {
    refuse(host, { rule: POLICY_NAME, what: fault, remedy: 'use lower-case letters, digits, dashes and dots' });
  }
  claim(host, kind, name);
  SynthWatch.of(host).own(host);
  const made = new ApiObject(host, id, { apiVersion, kind, metadata: { name, ...(labels && { labels }) }, ...content });
  renderLate(made, RenderStage.SCOPE, ({ metadata: { namespace: _, ...metadata }, ...json }) => ({
    apiVersion: json.apiVersion,
    kind: json.kind,
    metadata,
    ...json,
  }));
  return made;
}

/** A name that no object of a kind has in the app so far: the second one ends in the path of its construct. */
export function freeName(host: Construct, kind: string, name: string): string {
  const path = Names.toDnsLabel(host, { includeHash: false });
  const names = [name, `${name}-${path}`, `${name}-${Names.toDnsLabel(host)}`];
  return names.find((one) => !madeIn(host).has(`${kind} ${one}`)) ?? names[2];
}

/** The second of a name in an app would overwrite the first in the cluster. */
function claim(host: Construct, kind: string, name: string): void {
  const made = madeIn(host);
  const first = made.get(`${kind} ${name}`);
  if (first !== undefined) {
    refuse(host, {
      rule: POLICY_NAME_TWICE,
      what: `${kind} ${name} is made by ${first} as well, and the second would overwrite the first`,
      remedy: 'give one of the two another name, or the clusters apps of their own',
    });
  }
  made.set(`${kind} ${name}`, host.node.path);
}
