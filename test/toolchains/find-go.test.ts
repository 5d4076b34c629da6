import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lackOfGo } from '../../scripts/go/find-go';
import { FakeGo } from './fake-go';

const environment = process.env;
let go: FakeGo;

beforeEach(() => {
  go = new FakeGo();
  process.env = { ...environment, ...go.environment };
});

afterEach(() => {
  process.env = environment;
  go.remove();
});

const tooOld = (version: string, why: string) =>
  `go is ${version}, and ${join(go.module, 'go.mod')} wants 1.26.0 (${why})`;

test('nothing is missing with a go that is new enough', () => {
  expect(lackOfGo(go.module)).toBeUndefined();
});

test('there is no go', () => {
  rmSync(join(go.bin, 'go'));
  expect(lackOfGo(go.module)).toBe('there is no go on the PATH');
});

test('go is old, and may not fetch a newer one', () => {
  go.install('go1.22.1', 'succeed');
  expect(lackOfGo(go.module)).toBe(tooOld('1.22.1', 'GOTOOLCHAIN=local keeps it from fetching a newer one'));
});

test.each(['auto', 'go1.22.1+auto', 'path'])('go is old, and GOTOOLCHAIN=%s lets it find a newer one', (setting) => {
  go.install('go1.22.1', 'succeed');
  process.env.GOTOOLCHAIN = setting;
  expect(lackOfGo(go.module)).toBeUndefined();
});

test('go is too old to fetch another', () => {
  go.install('go1.20.14', 'succeed');
  process.env.GOTOOLCHAIN = 'auto';
  expect(lackOfGo(go.module)).toBe(tooOld('1.20.14', 'before 1.21 it cannot fetch a newer one'));
});

test('GOTOOLCHAIN names the version to use', () => {
  process.env.GOTOOLCHAIN = 'go1.25.3';
  expect(lackOfGo(go.module)).toBe(tooOld('1.25.3', 'GOTOOLCHAIN=go1.25.3 keeps it from fetching a newer one'));
  go.install('go1.22.1', 'succeed');
  process.env.GOTOOLCHAIN = 'go1.26.1';
  expect(lackOfGo(go.module)).toBeUndefined();
});

test('a go that does not work is quoted', () => {
  writeFileSync(join(go.bin, 'go'), '#!/bin/sh\necho "go: cannot find GOROOT directory: /gone" >&2\nexit 2\n');
  expect(lackOfGo(go.module)).toBe(
    'the go on the PATH does not say its version (go: cannot find GOROOT directory: /gone)',
  );
});

test('a folder without a module is told', () => {
  rmSync(join(go.module, 'go.mod'));
  expect(lackOfGo(go.module)).toBe(`there is no go.mod in ${go.module}`);
});

test('test:cluster without go is one sentence and an exit code of its own', () => {
  rmSync(join(go.bin, 'go'));
  const root = join(__dirname, '..', '..');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(root, 'scripts', 'test-cluster.ts')],
    { cwd: root, encoding: 'utf8', env: process.env },
  );
  expect(stderr).toMatch(
    /^test:cluster needs Go \d[\d.]* or newer: there is no go on the PATH; install it from https:\/\/go\.dev\/dl\n$/,
  );
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
});
