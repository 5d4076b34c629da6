import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { ALL_SPEC_FEATURES, loadAssemblyFromPath } from '@jsii/spec';
import { bundledCommand } from '../../scripts/command/bundle';

// What is in the package, which the packages of the other languages carry whole.

const INSTALLED = join(process.env.CONSUMER as string, 'node_modules', 'cdk8s-load-balancers');

const PUBLISHED =
  /^(lib\/.*\.(js|d\.ts)|lib\/cli\/main\.(licences\.txt|js\.br)|assets\/(.*\.js|skill\/SKILL\.md)|bin\/(cdk8s-load-balancers|kubectl-lb)|schema\/(load-balancers\.schema|annotations\/[a-z0-9-]+)\.json|\.jsii(\.gz)?|LICENSE|NOTICE|(README|CHANGELOG|API)\.md|package\.json)$/;

const FILES = readdirSync(INSTALLED, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ file: relative(INSTALLED, path), bytes: statSync(path).size }));

const read = (file: string) => readFileSync(join(INSTALLED, file), 'utf8');

test('nothing is published that no user needs: no tests, no sources, no pages, no configuration', () => {
  expect(FILES.map(({ file }) => file).filter((file) => !PUBLISHED.test(file))).toEqual([]);
});

test('what has software of others has their licences, and installs nothing', () => {
  expect(read('NOTICE')).toContain('Licensed under the Apache License, Version 2.0');
  for (const [, name] of read('NOTICE').matchAll(/^([\w-]+), in lib/gm)) {
    expect(read('lib/cli/main.licences.txt')).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, 'm'));
  }
  expect(JSON.parse(read('package.json')).dependencies ?? {}).toEqual({});
});

test('the compressed command is the one that its sources make', () => {
  const text = brotliDecompressSync(readFileSync(join(INSTALLED, 'lib/cli/main.js.br'))).toString();
  expect(text === bundledCommand().text).toBe(true);
});

test('the assembly is compressed', () => {
  expect(JSON.parse(read('.jsii'))).toMatchObject({ compression: 'gzip', filename: '.jsii.gz' });
});

test('no file is large but those that are many in one', () => {
  const large = FILES.filter(({ bytes }) => bytes > 400_000).map(({ file }) => file);
  expect(large.sort()).toEqual(['lib/cli/main.js.br', 'lib/every-class.js']);
});

test('all of it takes six megabytes at most', () => {
  expect(FILES.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(6_000_000);
});

test('the registry can say what it is, whose it is, and where to ask', () => {
  const { homepage, bugs, repository, license, keywords, description, author } = JSON.parse(read('package.json'));
  const repositoryPage = repository.url.replace(/\.git$/, '');
  expect({ homepage, bugs: bugs.url, license }).toEqual({
    homepage: repositoryPage,
    bugs: `${repositoryPage}/issues`,
    license: 'Apache-2.0',
  });
  expect(keywords).toEqual(expect.arrayContaining(['cdk8s', 'kubernetes', 'load balancer', 'kafka']));
  expect(description).toMatch(/^\S.{40,}$/);
  expect(author.name).toMatch(/\S/);
});

test('no link in the README of the other languages needs the repository around it', () => {
  const { readme } = loadAssemblyFromPath(INSTALLED, true, [...ALL_SPEC_FEATURES]);
  const text = (readme?.markdown ?? '').replace(/^```.*?^```$/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  expect(links).not.toEqual([]);
  expect(links.filter((link) => !/^(https:|#)/.test(link))).toEqual([]);
});
