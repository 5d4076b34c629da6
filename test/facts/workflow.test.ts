import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PRODUCTS } from '../../scripts/facts/products';

const WORKFLOW = join(__dirname, '..', '..', '.github', 'workflows', 'facts.yml');

describe('the workflow that reads releases', () => {
  const { read } = parse(readFileSync(WORKFLOW, 'utf8')).jobs;

  test('reads every product that can be read, of its own repository', () => {
    const known = PRODUCTS.map(({ name, repository }) => ({ product: name, repository }));
    expect(read.strategy.matrix.include).toEqual(known);
  });

  test('may open issues, and write nothing else', () => {
    expect(read.permissions).toEqual({ contents: 'read', issues: 'write' });
  });

  test('puts no text of a release into its own shell', () => {
    const commands = read.steps.map(({ run = '' }: { run?: string }) => run).join('\n');
    expect(commands).not.toMatch(/\$\{\{/);
  });
});
