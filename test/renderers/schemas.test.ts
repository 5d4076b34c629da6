import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';

// kubeconform with the schemas of annotations, by the line of docs/how-to/check-manifests.md.

const ROOT = join(__dirname, '..', '..');
const COMMAND = /`(kubeconform [^`]*)`/.exec(
  readFileSync(join(ROOT, 'docs', 'how-to', 'check-manifests.md'), 'utf8'),
)?.[1];

/** A repository that has the package, with manifests in the folder k8s. */
class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'schemas-'));
  private readonly programs = join(this.folder, 'programs');

  constructor() {
    for (const folder of ['k8s', 'node_modules', 'programs']) {
      mkdirSync(join(this.folder, folder));
    }
    symlinkSync(ROOT, join(this.folder, 'node_modules', 'cdk8s-load-balancers'));
    symlinkSync(String(process.env.KUBECONFORM), join(this.programs, 'kubeconform'));
  }

  /** Adds the YAML of a folder, but not what an app has left in it. */
  add(...path: readonly string[]): this {
    cpSync(join(ROOT, ...path), join(this.folder, 'k8s'), {
      recursive: true,
      filter: (file) => (file.endsWith('.yaml') || statSync(file).isDirectory()) && basename(file) !== 'dist',
    });
    return this;
  }

  /** The Services of all files. */
  services(): number {
    const folder = join(this.folder, 'k8s');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/^kind: Service$/gm) ?? []).length;
  }

  write(file: string, text: string): this {
    writeFileSync(join(this.folder, 'k8s', file), text);
    return this;
  }

  problems(): { readonly valid: number; readonly found: string[] } {
    const { stdout } = spawnSync('sh', ['-c', `${COMMAND} -output json -summary`.replace(/ (k8s\/)(.*)/, '$2 $1')], {
      cwd: this.folder,
      encoding: 'utf8',
      env: { PATH: `${this.programs}${delimiter}${process.env.PATH}` },
    });
    const { resources, summary } = JSON.parse(stdout) as Report;
    const found = resources.flatMap(({ filename, validationErrors, msg }) =>
      (validationErrors ?? [{ path: '', msg }]).map((one) => `${filename}: ${one.path} ${one.msg}`),
    );
    return { valid: summary.valid, found: found.map((one) => one.replace(/^k8s\//, '')).sort() };
  }
}

interface Report {
  readonly resources: readonly {
    readonly filename: string;
    readonly msg: string;
    readonly validationErrors?: readonly { readonly path: string; readonly msg: string }[];
  }[];
  readonly summary: { readonly valid: number };
}

const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer';
const WORDS = "'internal', 'internet-facing'";

test.each<[string, string, string[]]>([
  ['known keys and values', `${PREFIX}-type: external, ${PREFIX}-scheme: internal, example.com/owner: team-a`, []],
  ['a misspelt key', `${PREFIX}-schem: internal`, [`a.yaml:  invalid propertyName '${PREFIX}-schem'`]],
  [
    'a value that is none',
    `${PREFIX}-scheme: Internal`,
    [`a.yaml: /metadata/annotations/${PREFIX}-scheme value must be one of ${WORDS}`],
  ],
  ['a boolean without quotes', `${PREFIX}-scheme: true`, [expect.stringContaining('want string')]],
])('kubeconform on %s', (_, annotations, expected) => {
  const service = `apiVersion: v1\nkind: Service\nmetadata: { name: web, annotations: { ${annotations} } }\nspec: { ports: [{ port: 80 }] }\n`;
  const manifests = `${service}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n`;
  expect(new Repository().write('a.yaml', manifests).problems().found).toEqual(expected);
});

/** Manifests of people, and those that constructs write. */
const MANIFESTS: readonly (readonly string[])[] = [['examples'], ['test', 'goldens']];

test.each(MANIFESTS.map((path): [string, readonly string[]] => [path.join('/'), path]))(
  'kubeconform accepts every Service of %s',
  (_, path) => {
    const repository = new Repository().add(...path);
    const { valid, found } = repository.problems();
    expect(found).toEqual([]);
    expect(valid).toBeGreaterThan(15);
    expect(valid).toBe(repository.services());
  },
);

test('kubeconform refuses an example with a misspelt key and a bad value alone', () => {
  const echo = readFileSync(join(ROOT, 'examples', 'yaml', 'echo.yaml'), 'utf8');
  const wrong = echo.replace(`${PREFIX}-scheme: internal`, `${PREFIX}-scheme: private`);
  const misspelt = echo.replace(`${PREFIX}-nlb-target-type`, `${PREFIX}-nlb-target-typ`);
  const both = `${wrong}---\n${misspelt}`;
  expect(both.match(/private|target-typ:/g)).toEqual(['private', 'target-typ:']);
  expect(new Repository().add('examples').write('echo.yaml', both).problems().found).toEqual([
    `echo.yaml:  invalid propertyName '${PREFIX}-nlb-target-typ'`,
    `echo.yaml: /metadata/annotations/${PREFIX}-scheme value must be one of ${WORDS}`,
  ]);
});
