import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiIndex, apiPages } from '../scripts/api/pages';
import { tablesOf } from './support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'api-pages.yaml'));

function type(name: string, filename: string, rest: object): object {
  return { fqn: `x.${name}`, name, kind: 'interface', datatype: true, locationInModule: { filename }, ...rest };
}

const string = { primitive: 'string' };

const TYPES = [
  type('Props', 'src/services/service.ts', {
    docs: { summary: 'What a Service has.' },
    interfaces: ['x.Base'],
    properties: [
      {
        name: 'size',
        optional: true,
        type: { primitive: 'number' },
        docs: { summary: 'How big.', default: '- as is' },
      },
      { name: 'ports', type: { collection: { kind: 'array', elementtype: { fqn: 'x.Port' } } }, docs: {} },
    ],
  }),
  type('Base', 'src/contract/base.ts', { properties: [{ name: 'name', type: string }] }),
  type('Port', 'src/services/port.ts', { properties: [] }),
  type('Service', 'src/services/service.ts', {
    kind: 'class',
    datatype: undefined,
    docs: { summary: 'A Service.', example: "new Service('a');" },
    base: 'constructs.Construct',
    initializer: { parameters: [{ name: 'props', type: { fqn: 'x.Props' } }], docs: { custom: { throws: 'at noon' } } },
    methods: [{ name: 'of', static: true, parameters: [], returns: { type: { fqn: 'x.Service' }, optional: true } }],
    properties: [{ name: 'labels', type: { collection: { kind: 'map', elementtype: string } } }],
  }),
  type('Word', 'src/contract/word.ts', { kind: 'enum', members: [{ name: 'YES', docs: { summary: 'It is so.' } }] }),
];

function madeOf<T>(types: readonly object[], make: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-api-'));
  try {
    const named = types.map((each) => [(each as { fqn: string }).fqn, each]);
    writeFileSync(join(root, '.jsii'), JSON.stringify({ types: Object.fromEntries(named) }));
    return make(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const pagesOf = (types: readonly object[]) => madeOf(types, apiPages);

describe('the pages of the API', () => {
  const pages = pagesOf(TYPES);
  const services = pages.get('docs/reference/api/services.md') ?? '';
  const contract = pages.get('docs/reference/api/contract.md') ?? '';
  const index = pages.get('API.md') ?? '';

  test('are an index, and a page a room', () => {
    expect([...pages.keys()]).toEqual(['API.md', 'docs/reference/api/services.md', 'docs/reference/api/contract.md']);
    expect(index).toMatch(/5 types.*\[Service\]\(docs\/reference\/api\/services.md#service\).*## \[Contract\]\(docs/s);
  });

  test('the index in the repository has names, and no links to pages that only the site has', () => {
    const index = madeOf(TYPES, apiIndex);
    expect(index).toContain('## Services\n');
    expect(index).toContain('- Structs: `Port`, `Props`');
    expect(index).not.toContain('](');
  });

  test.each<[string, RegExp]>(tables.pagesApiHave)('have %s', (_, text) => {
    expect(services).toMatch(text);
    expect(services.split('How big.')).toHaveLength(2);
  });

  test('have the words of an enum', () => {
    expect(contract).toContain('## Enums\n\n### Word\n\n- `YES`\n\n  It is so.');
  });

  test('have a sentence in one piece that jsii cuts at a semicolon', () => {
    const cut = type('Cut', 'src/services/cut.ts', {
      docs: { summary: 'Worst first;', remarks: 'the rest after it.' },
    });
    expect(pagesOf([cut]).get('docs/reference/api/services.md')).toContain('\n\nWorst first; the rest after it.\n');
  });

  test('have a title and a subject for every room', () => {
    expect(() => pagesOf([type('New', 'src/attic/new.ts', {})])).toThrow('room attic has no title');
  });
});
