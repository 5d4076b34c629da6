import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';

// yaml-language-server, which editors run, with the schema of the package, as docs/how-to/check-manifests.md configures it.

const ROOT = join(__dirname, '..', '..');
const INSTALLED = join(process.env.CONSUMER as string, 'node_modules', 'cdk8s-load-balancers');
const HOW_TO = readFileSync(join(ROOT, 'docs', 'how-to', 'check-manifests.md'), 'utf8');
const SCHEMA = JSON.parse(readFileSync(join(INSTALLED, 'schema', 'annotations', 'service.json'), 'utf8'));
const ANNOTATIONS = SCHEMA.then.properties.metadata.properties.annotations.properties;

const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer';
const SCHEME = `${PREFIX}-scheme`;

/** A Service with annotations, beside an object of another kind. */
const manifest = (...annotations: readonly string[]) => `apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
${annotations.map((line) => `    ${line}\n`).join('')}spec:
  type: LoadBalancer
---
apiVersion: v1
kind: ConfigMap
metadata:
  annotations:
    ${PREFIX}-schem: Internal
`;

interface Diagnostic {
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly message: string;
}

interface Completion {
  readonly items: readonly { readonly insertText: string; readonly documentation: string }[];
}

/** A client of the protocol, in a repository that has the package. */
class Editor {
  private readonly reported = new Map<string, (mistakes: readonly Diagnostic[]) => void>();
  private lastFile = 0;

  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    private readonly connection: MessageConnection,
  ) {
    connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) =>
      this.reported.get(uri)?.(diagnostics),
    );
  }

  static async started(settings: object): Promise<Editor> {
    const folder = realpathSync(mkdtempSync(join(process.env.CONSUMER as string, 'repository-')));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(INSTALLED, join(folder, 'node_modules', 'cdk8s-load-balancers'));
    const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false }, ...settings };
    const server = spawn(process.execPath, [join(ROOT, 'node_modules', '.bin', 'yaml-language-server'), '--stdio']);
    const connection = createMessageConnection(server.stdout, server.stdin);
    connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? yaml : {})),
    );
    connection.listen();
    const rootUri = pathToFileURL(folder).href;
    const workspaceFolders = [{ uri: rootUri, name: 'repository' }];
    const capabilities = { workspace: { configuration: true } };
    await connection.sendRequest('initialize', { processId: null, rootUri, workspaceFolders, capabilities });
    await connection.sendNotification('initialized', {});
    await connection.sendNotification('workspace/didChangeConfiguration', { settings: { yaml } });
    return new Editor(folder, server, connection);
  }

  /** Mistakes in a new file as `line:column message`, counted from one. */
  async mistakes(text: string): Promise<string[]> {
    const uri = this.newUri();
    const found = new Promise<readonly Diagnostic[]>((resolve) => this.reported.set(uri, resolve));
    await this.open(uri, text);
    return (await found).map(({ range: { start }, message }) => `${start.line + 1}:${start.character + 1} ${message}`);
  }

  /** The answer of the server behind a part of a new file. */
  async answer<Answer>(request: 'hover' | 'completion', text: string, part: string): Promise<Answer> {
    const lines = text.slice(0, text.indexOf(part) + part.length).split('\n');
    const position = { line: lines.length - 1, character: (lines.at(-1) as string).length };
    const uri = this.newUri();
    await this.open(uri, text);
    return this.connection.sendRequest(`textDocument/${request}`, { textDocument: { uri }, position });
  }

  close(): void {
    this.connection.dispose();
    this.server.kill();
  }

  private newUri(): string {
    return pathToFileURL(join(this.folder, 'k8s', `${++this.lastFile}.yaml`)).href;
  }

  private open(uri: string, text: string): Promise<void> {
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    return this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }
}

/** A line of the page, for a file with some text. */
const MODELINE = /`(# yaml-language-server: [^`]*)`/.exec(HOW_TO)?.[1] as string;
const SETTINGS = JSON.parse(`{${/`("yaml[.]schemas": [^`]*)`/.exec(HOW_TO)?.[1]}}`) as Record<string, object>;

describe.each<[string, string, object]>([
  ['the first line of the file', MODELINE, {}],
  ['settings.json', '# a comment', { schemas: SETTINGS['yaml.schemas'] }],
])('with the schema in %s', (_, firstLine, settings) => {
  const file = (...annotations: readonly string[]) => `${firstLine}\n${manifest(...annotations)}`;

  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.started(settings);
  });
  afterAll(() => editor.close());

  test.each<[string, string, string[]]>([
    ['known keys and values', `${SCHEME}: internal`, []],
    ['a key of others', 'example.com/owner: team-a', []],
    ['a misspelt key', `${PREFIX}-schem: internal`, [`7:5 no known controller reads this annotation`]],
    ['a bad value', `${SCHEME}: Internal`, [`7:${SCHEME.length + 7} Value is not accepted.`]],
  ])('%s', async (__, annotation, expected) => {
    const found = await editor.mistakes(file(annotation));
    expect(found).toEqual(expected.map((start) => expect.stringContaining(start)));
  });

  test('completes the key of an annotation, with what reads it', async () => {
    const part = `${PREFIX}-sch`;
    const { items } = await editor.answer<Completion>('completion', file(part), part);
    const keys = new Map(items.map(({ insertText, documentation }) => [insertText.split(': ')[0], documentation]));
    expect(keys.get(SCHEME)).toBe(ANNOTATIONS[SCHEME].description);
    expect([...keys.keys()].filter((key) => !(key in ANNOTATIONS))).toEqual([]);
  });

  test('completes its value', async () => {
    const part = `${SCHEME}: `;
    const { items } = await editor.answer<Completion>('completion', file(part), part);
    expect(items.map(({ insertText }) => insertText).sort()).toEqual(['internal', 'internet-facing']);
  });

  test('shows what reads it', async () => {
    const text = file(`${SCHEME}: internal`);
    const { contents } = await editor.answer<{ contents: { value: string } }>('hover', text, SCHEME);
    const words = (markdown: string) => markdown.replace(/[^a-z0-9]+/gi, ' ').trim();
    expect(words(contents.value)).toContain(words(ANNOTATIONS[SCHEME].description));
    expect(words(contents.value)).toContain('aws load balancer controller');
  });
});
