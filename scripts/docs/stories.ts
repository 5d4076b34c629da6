import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { check } from '../../src/cli/check';
import type { CheckReport } from '../../src/cli/check-report';
import { CONTEXT_FILE, readContextFile } from '../../src/cli/context/context-file';
import { FORMATS } from '../../src/cli/formats/formats';
import { readManifests } from '../../src/cli/manifests';
import type { Json } from '../../src/contract/json';
import { ROOT } from './files';
import { fenced } from './markdown';

/** What becomes of YAML as people write it: the files of a folder of examples/stories, and what of them is shown. */
export interface Story {
  /** The name of its folder, and of its picture. */
  readonly name: string;
  /** The manifests that are checked. */
  readonly before: readonly string[];
  /** What synth writes, as far as it is shown: the file, the kind, and the fields of that object. */
  readonly after: readonly (readonly [file: string, kind: string, ...fields: string[]])[];
  /** What is known of another cluster than the one of the YAML, by the file that synth writes for it. */
  readonly clusters?: Readonly<Record<string, string>>;
}

export const STORIES: readonly Story[] = [
  {
    name: 'finalizers',
    before: ['before.yaml'],
    after: [['kafka.k8s.yaml', 'Kafka', 'spec.kafka.listeners']],
  },
  { name: 'traffic-policy', before: ['before.yaml'], after: [['shop.k8s.yaml', 'Service', 'metadata', 'spec']] },
  {
    name: 'cleanup',
    before: ['before.yaml'],
    after: [
      ['on-premises.k8s.yaml', 'Service', 'metadata'],
      ['azure.k8s.yaml', 'Service', 'metadata'],
    ],
    clusters: { 'azure.k8s.yaml': 'load-balancers.azure.yaml' },
  },
  {
    name: 'tenants',
    before: ['team-a.yaml', 'team-b.yaml', 'team-c.yaml'],
    after: [
      ['team-a.k8s.yaml', 'Service', 'metadata', 'spec'],
      ['team-a.k8s.yaml', 'ListenerSet', 'metadata', 'spec.listeners'],
    ],
  },
  {
    name: 'node-pool',
    before: ['before.yaml'],
    after: [
      ['edge.k8s.yaml', 'Deployment', 'spec.template.spec.affinity'],
      ['edge.k8s.yaml', 'Service', 'metadata', 'spec'],
    ],
  },
];

const folderOf = (name: string) => join('examples', 'stories', name);

const readIn = (name: string, file: string) => readFileSync(join(ROOT, folderOf(name), file), 'utf8');

/** The story of a name. */
export function storyOf(name: string): Story {
  const found = STORIES.find((story) => story.name === name);
  if (!found) {
    throw new Error(`there is no story ${name}`);
  }
  return found;
}

/** What the rules say of the YAML of a story, as the command asks them in its folder. */
export function checkedBefore(name: string): CheckReport {
  const here = process.cwd();
  try {
    process.chdir(join(ROOT, folderOf(name)));
    const { context, mistakes } = readContextFile(CONTEXT_FILE);
    if (!context) {
      throw new Error(mistakes.map(({ what }) => what).join('\n'));
    }
    return check(readManifests([...storyOf(name).before]), context);
  } finally {
    process.chdir(here);
  }
}

/** The command on the YAML of a story, and what it says. */
export function saidBefore(name: string): string {
  const words = ['npx cdk8s-load-balancers check', ...storyOf(name).before].join(' ');
  return `$ ${words}\n${FORMATS.text(checkedBefore(name)).trimEnd()}`;
}

const synthesized = new Map<string, ReadonlyMap<string, string>>();

/** The files that the program of a story writes. */
export function filesAfter(name: string): ReadonlyMap<string, string> {
  const files = synthesized.get(name) ?? synthesize(name);
  synthesized.set(name, files);
  return files;
}

function synthesize(name: string): ReadonlyMap<string, string> {
  const before = process.env.CDK8S_OUTDIR;
  const outdir = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-story-'));
  try {
    process.env.CDK8S_OUTDIR = outdir;
    require(join(ROOT, folderOf(name), 'after'));
    return new Map(readdirSync(outdir).map((file) => [file, readFileSync(join(outdir, file), 'utf8')]));
  } finally {
    if (before === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = before;
    }
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** What synth writes, as far as a story shows it. */
export function shownAfter(name: string): string {
  const files = filesAfter(name);
  return storyOf(name)
    .after.map(([file, kind, ...fields]) => {
      const objects = parseAllDocuments(files.get(file) ?? '').map((document) => document.toJS() as Json);
      const object = objects.find((each) => each.kind === kind);
      if (!object) {
        throw new Error(`the program of the story ${name} writes no ${kind} to ${file}`);
      }
      return `# dist/${file}\n${stringify(excerpt(object, ['kind', ...fields])).trimEnd()}`;
    })
    .join('\n---\n');
}

/** An object with some of its fields, in the order of these. */
function excerpt(object: Json, fields: readonly string[]): Json {
  const shown: Json = {};
  for (const field of fields) {
    const [first, ...rest] = field.split('.');
    if (object[first] === undefined) {
      throw new Error(`the object has no ${field}`);
    }
    shown[first] = rest.length > 0 ? excerpt(object[first] as Json, [rest.join('.')]) : object[first];
  }
  return shown;
}

/** A program that is run in the folder of its files, as a reader runs it: other languages have no `__dirname`. */
function withoutFolder(program: string): string {
  return program.replace("import { join } from 'node:path';\n", '').replace(/join\(__dirname, ([^)]+)\)/g, '$1');
}

/** The parts of a story on its page: the YAML, what is said of it, the program, and what that writes. */
export function storyParts(name: string): Record<string, string> {
  const { before } = storyOf(name);
  const yaml = before.map((file) => readIn(name, file).trimEnd()).join('\n---\n');
  return {
    [`${name}: before`]: fenced('yaml', yaml),
    [`${name}: check`]: fenced('console', saidBefore(name)),
    [`${name}: after`]: fenced('ts nofixture', withoutFolder(readIn(name, 'after.ts')).trimEnd()),
    [`${name}: manifest`]: fenced('yaml', shownAfter(name)),
  };
}
