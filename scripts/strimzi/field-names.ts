// Writes the names of the fields of Strimzi's resources, as its releases define them, into the table that synth reads:
//   git clone https://github.com/strimzi/strimzi-kafka-operator
//   npx tsx --tsconfig tsconfig.scripts.json scripts/strimzi/field-names.ts strimzi-kafka-operator
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isMap, type Json } from '../../src/contract/json';
import { STRIMZI_OLD_API, STRIMZI_RELEASES } from '../../src/kafka/strimzi/strimzi.facts';

const OUTPUT = join(__dirname, '..', '..', 'src', 'kafka', 'strimzi', 'field-names.facts.ts');

/** The files of each kind: the second one is its place in the oldest releases. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  Kafka: ['040-Crd-kafka.yaml'],
  KafkaNodePool: ['045-Crd-kafkanodepool.yaml', '04A-Crd-kafkanodepool.yaml'],
};

/** Fields that are not looked into: listeners have a schema of their own, the others are defined by Kubernetes. */
const CLOSED = new Set(
  `listeners affinity dnsConfig env hostAliases imagePullSecrets resources securityContext templatedVolumes tolerations
  topologySpreadConstraints volumeMounts pod.volumes`.split(/\s+/),
);

/** One field, as the releases have it. */
interface Field {
  since: string;
  /** Whether an API version after the old one has it. */
  isInNewApi: boolean;
  readonly fields: Map<string, Field>;
}

function show(clone: string, release: string, files: readonly string[]): string {
  for (const file of files) {
    try {
      const path = `${release}:packaging/install/cluster-operator/${file}`;
      return execFileSync('git', ['-C', clone, 'show', path], { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
    } catch {
      // the release has it in another place
    }
  }
  throw new Error(`${release} has none of ${files.join(', ')}`);
}

function collect(fields: Map<string, Field>, schema: Json, release: string, isNewApi: boolean, parent = ''): void {
  const { properties = {} } = isMap(schema.items) ? schema.items : schema;
  for (const [name, inner] of Object.entries<Json>(properties)) {
    const field = fields.get(name) ?? { since: release, isInNewApi: false, fields: new Map<string, Field>() };
    field.isInNewApi ||= isNewApi;
    fields.set(name, field);
    if (!CLOSED.has(name) && !CLOSED.has(`${parent}.${name}`)) {
      collect(field.fields, inner, release, isNewApi, name);
    }
  }
}

const [OLDEST] = Object.keys(STRIMZI_RELEASES);

/** A name with its marks; what is in a field is no older than the field. */
function written(name: string, { since, isInNewApi }: Field, sinceAbove: string): string {
  return `${name}${since === sinceAbove ? '' : `@${since}`}${isInNewApi ? '' : '~'}`;
}

/** The lines of a table: names, and the places that have just these. */
function linesOf(fields: Map<string, Field>): string[] {
  const places = new Map<string, string[]>();
  const visit = (inner: Map<string, Field>, path: string, since: string) => {
    const names = [...inner].map(([name, field]) => written(name, field, since)).sort();
    places.set(names.join(' '), [...(places.get(names.join(' ')) ?? []), path]);
    for (const [name, field] of inner) {
      if (field.fields.size > 0 && field.isInNewApi) {
        visit(field.fields, `${path}.${name}`, field.since);
      }
    }
  };
  visit(fields, 'spec', OLDEST);
  return [...places].map(([names, paths]) => `${paths.join(' ')}: ${names}`);
}

/** Lines that an editor shows whole; what goes on is indented. */
function wrapped(line: string): string {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines[lines.length - 1];
    if (last.length + word.length > 116) {
      lines.push(`  ${word}`);
    } else {
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
  }
  return lines.join('\n');
}

function tableOf(clone: string, files: readonly string[]): string {
  const fields = new Map<string, Field>();
  for (const release of Object.keys(STRIMZI_RELEASES)) {
    const { spec } = parse(show(clone, release, files), { maxAliasCount: -1 });
    for (const { name, served, schema } of spec.versions as Json[]) {
      if (served !== false && (name === STRIMZI_OLD_API || /^v\d+$/.test(name))) {
        collect(fields, schema.openAPIV3Schema.properties.spec, release, name !== STRIMZI_OLD_API);
      }
    }
  }
  return linesOf(fields).map(wrapped).join('\n');
}

const [clone] = process.argv.slice(2);
const tables = Object.entries(FILES).map(([kind, files]) => `  ${kind}: \`\n${tableOf(clone, files)}\n\`,`);
writeFileSync(
  OUTPUT,
  `// Written by scripts/strimzi/field-names.ts from the definitions of all releases that are known here:
// strimzi/strimzi-kafka-operator, tags ${OLDEST} to ${Object.keys(STRIMZI_RELEASES).at(-1)}: packaging/install/cluster-operator/${FILES.Kafka[0]} and
// ${FILES.KafkaNodePool[0]} (0.45: ${FILES.KafkaNodePool[1]})

/**
 * The names of fields, by kind: each line has paths and the names below them. \`@0.47.0\` is the first release that has a name,
 * \`~\` marks what the API version \`${STRIMZI_OLD_API}\` alone has. Fields of listeners and of Kubernetes' own types are not in it.
 */
export const FIELD_NAMES: Readonly<Record<'${Object.keys(FILES).join("' | '")}', string>> = {
${tables.join('\n')}
};
`,
);
