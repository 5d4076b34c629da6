import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import type { Body, Ref } from '../../cluster/harness/api';

/** The program that `npm run test:kyverno` builds. */
export function kyverno(): string {
  const file = process.env.KYVERNO;
  if (!file) {
    throw new Error('there is no Kyverno: run `npm run test:kyverno`, which builds it');
  }
  return file;
}

/** What `kyverno apply` says. */
interface Applied {
  /** The Services that it wrote, by name. */
  readonly services: ReadonlyMap<string, Body>;
  readonly said: string;
}

/**
 * Lets `kyverno apply` judge Services by a policy.
 *
 * @param namespaces the labels of namespaces by name
 * @param operation what the request is; of an update the old object is the new one
 */
export function applied(
  policy: Body,
  namespaces: Readonly<Record<string, Body>>,
  services: readonly Ref[],
  operation: 'CREATE' | 'UPDATE' = 'CREATE',
): Applied {
  const folder = mkdtempSync(join(tmpdir(), 'kyverno-'));
  const write = (name: string, ...objects: unknown[]) => {
    const file = join(folder, name);
    writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
    return file;
  };
  const values = {
    apiVersion: 'cli.kyverno.io/v1alpha1',
    kind: 'Value',
    metadata: { name: 'values' },
    globalValues: { 'request.operation': operation },
    namespaceSelector: Object.entries(namespaces).map(([name, labels]) => ({ name, labels })),
  };
  const out = mkdtempSync(join(folder, 'out-'));
  const said = execFileSync(
    kyverno(),
    [
      ...['apply', write('policy.yaml', policy), '--resource', write('services.yaml', ...services)],
      ...['--values-file', write('values.yaml', values), '--output', out, '--remove-color'],
    ],
    { encoding: 'utf8' },
  );
  const written = readdirSync(out).flatMap((file) =>
    parseAllDocuments(readFileSync(join(out, file), 'utf8')).map((document) => document.toJSON() as Ref | null),
  );
  const found = written.filter((object) => object !== null);
  return { said, services: new Map(found.map((object) => [object.metadata.name, object])) };
}
