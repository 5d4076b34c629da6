import { reaches } from '../../contract/compare-versions';
import { editDistance } from '../../contract/edit-distance';
import type { Finding } from '../../contract/finding';
import { isMap, isSet, type Json } from '../../contract/json';
import { pointer } from '../../contract/schema/walk';
import { FIELD_NAMES } from '../strimzi/field-names.facts';
import { isNewerThanFacts } from '../strimzi/release-rules';
import { isOldApi } from '../strimzi/served-api';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { shown } from './kafka-json';

// Plain data in Strimzi's own fields: the API server drops a field that the version does not have, unless it is asked to be
// strict. Names alone are compared; values are the operator's.

/** What is known of a name. */
interface Mark {
  /** The first release that has it, where that is newer than the oldest one. */
  readonly since?: string;
  /** Whether the API version `v1` has no such field. */
  readonly isOld: boolean;
}

type Names = ReadonlyMap<string, Mark>;
type Kind = keyof typeof FIELD_NAMES;

/** Fields that people write elsewhere by mistake, and where they go. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  finalizers: 'write finalizers in configuration of each listener that needs them',
  loadBalancerClass: 'write class in configuration of each listener that needs it',
  nodeSelector: 'write required node affinity with the labels of the nodes in template.pod.affinity',
  nodePools: 'write KafkaNodePools with the label of this cluster',
  config: 'write it in spec.kafka of the Kafka resource, for all pools alike',
  rack: 'write it in spec.kafka of the Kafka resource',
  replicas: 'write replicas of a KafkaNodePool',
  storage: 'write storage of a KafkaNodePool',
};

/** Names that need no quotes. */
const PLAIN = /^[-\w]+$/;

/** The tables, each taken apart once: path by path. */
const tables = new Map<Kind, ReadonlyMap<string, Names>>();

function tableOf(kind: Kind): ReadonlyMap<string, Names> {
  let table = tables.get(kind);
  if (!table) {
    const lines = FIELD_NAMES[kind].trim().replace(/\n +/g, ' ').split('\n');
    table = new Map(
      lines.flatMap((line) => {
        const [paths, names] = line.split(': ');
        const marks: Names = new Map(names.split(' ').map(markOf));
        return paths.split(' ').map((path): [string, Names] => [path, marks]);
      }),
    );
    tables.set(kind, table);
  }
  return table;
}

function markOf(text: string): [string, Mark] {
  const [name, since] = text.replace('~', '').split('@');
  return [name, { since, isOld: text.endsWith('~') }];
}

/**
 * The fields of a resource that its version of Strimzi does not have.
 *
 * @param kind which of the tables
 * @param document the resource
 * @param strimzi the operator that will read it; of a newer one than all that are known no name is unknown
 */
export function unservedFields(kind: Kind, document: Json, strimzi: StrimziVersion): Finding[] {
  const table = tableOf(kind);
  const isOld = isOldApi(document);
  const found: Finding[] = [];
  const visit = (value: unknown, path: string, where: string, at: string): void => {
    const names = table.get(path);
    if (Array.isArray(value)) {
      value.forEach((entry, i) => {
        visit(entry, path, `${where}[${i}]`, `${at}/${i}`);
      });
    } else if (names && isMap(value)) {
      for (const name of Object.keys(value).filter((key) => isSet(value[key]))) {
        const place = PLAIN.test(name) ? `${where}.${name}` : `${where}['${name}']`;
        const mark = names.get(name);
        const fault = faultOf(mark, strimzi, isOld);
        if (fault !== undefined) {
          const remedy = mark?.since && !mark.isOld ? `use Strimzi ${mark.since} or newer, or remove it` : undefined;
          found.push({
            what: `${place} does not exist in ${fault}, and the API server drops it`,
            remedy: remedy ?? remedyFor(table, path, name, isOld),
            value: shown(value[name]),
            at: pointer(at, name),
          });
        } else {
          visit(value[name], `${path}.${name}`, place, pointer(at, name));
        }
      }
    }
  };
  visit(document.spec, 'spec', 'spec', '/spec');
  return found;
}

/** What does not have a field; nothing where it may be there. */
function faultOf(mark: Mark | undefined, strimzi: StrimziVersion, isOld: boolean): string | undefined {
  if (!mark) {
    return isNewerThanFacts(strimzi) ? undefined : `Strimzi ${strimzi.version}`;
  }
  if (mark.isOld && !isOld) {
    return 'API version v1';
  }
  return mark.since === undefined || reaches(strimzi, mark.since) ? undefined : `Strimzi ${strimzi.version}`;
}

function remedyFor(table: ReadonlyMap<string, Names>, path: string, name: string, isOld: boolean): string {
  const lower = name.toLowerCase();
  const near = [...(table.get(path) ?? [])]
    .filter(([sibling, mark]) => sibling !== name && (isOld || !mark.isOld))
    .map(([sibling]) => sibling)
    .find((sibling) => editDistance(sibling.toLowerCase(), lower) <= Math.min(2, Math.floor(name.length / 4)));
  if (near !== undefined) {
    return `write ${near}`;
  }
  if (Object.hasOwn(ELSEWHERE, name)) {
    return ELSEWHERE[name];
  }
  const other = [...table]
    .filter(([parent, names]) => names.get(name)?.isOld === false && parent !== path)
    .sort(([one], [another]) => one.split('.').length - another.split('.').length)[0];
  return other ? `write it as ${other[0]}.${name}, or remove it` : 'correct its name or its place, or remove it';
}
