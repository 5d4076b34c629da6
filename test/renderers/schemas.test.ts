import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// kubeconform with the schemas of annotations.

const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer';

function problemsOf(annotations: string): string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'schemas-')), 'a.yaml');
  const service = `apiVersion: v1\nkind: Service\nmetadata: { name: web, annotations: { ${annotations} } }\nspec: { ports: [{ port: 80 }] }\n`;
  writeFileSync(file, `${service}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n`);
  const schemas = join(__dirname, '..', '..', 'schema', 'annotations', '{{.ResourceKind}}.json');
  const { stdout } = spawnSync(
    String(process.env.KUBECONFORM),
    ['-schema-location', schemas, '-ignore-missing-schemas', '-output', 'json', file],
    { encoding: 'utf8' },
  );
  const { resources } = JSON.parse(stdout) as { resources: { validationErrors: { path: string; msg: string }[] }[] };
  return resources.flatMap(({ validationErrors }) => validationErrors.map(({ path, msg }) => `${path} ${msg}`));
}

test.each<[string, string, string[]]>([
  ['known keys and values', `${PREFIX}-type: external, ${PREFIX}-scheme: internal, example.com/owner: team-a`, []],
  ['a misspelt key', `${PREFIX}-schem: internal`, [` invalid propertyName '${PREFIX}-schem'`]],
  [
    'a value that is none',
    `${PREFIX}-scheme: Internal`,
    [`/metadata/annotations/${PREFIX}-scheme value must be one of 'internal', 'internet-facing'`],
  ],
  ['a boolean without quotes', `${PREFIX}-scheme: true`, [expect.stringContaining('want string')]],
])('kubeconform on %s', (_, annotations, expected) => {
  expect(problemsOf(annotations)).toEqual(expected);
});
