import type { EditFact } from '../contract/edit';
import { isMap, type Json } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';

/** What is known of the cloud configuration of a controller: a file, which a ConfigMap or a Secret may hold. */
export interface CloudConfigFacts {
  /** The keys of such an object under which the file is. */
  readonly keys: RegExp;
  /** Settings of the file that say nothing of balancers. */
  readonly harmless: RegExp;
  /** What edits of others do, by their names; what the rest does was not read. */
  readonly settings: Readonly<Record<string, EditFact>>;
  readonly source: Citation;
}

/** What a ConfigMap or a Secret holds, as what reads it finds it. */
export function textsIn({ kind, data, stringData, binaryData }: Json): Json {
  const decoded = Object.entries(isMap(data) ? data : {}).map(([key, text]) => [
    key,
    typeof text === 'string' ? Buffer.from(text, 'base64').toString() : text,
  ]);
  return kind === 'Secret'
    ? { ...Object.fromEntries(decoded), ...(isMap(stringData) ? stringData : {}) }
    : { ...(isMap(data) ? data : {}), ...(isMap(binaryData) ? binaryData : {}) };
}

/** The key under which an object holds a cloud configuration; nothing where it is another object. */
export function cloudConfigKeyIn(object: Json, facts: CloudConfigFacts | undefined): string | undefined {
  const isHolder = object.apiVersion === 'v1' && (object.kind === 'Secret' || object.kind === 'ConfigMap');
  return facts && isHolder ? Object.keys(textsIn(object)).find((key) => facts.keys.test(key)) : undefined;
}
