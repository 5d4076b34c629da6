import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { type IConstruct, RootConstruct } from 'constructs';
import { ROOT } from './files';

/** A finding of a synth, or the refusal of a construct. */
export interface SynthFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly what: string;
  readonly remedy: string;
}

const WARNING = 'cdk8s-load-balancers:warning';

/** Code with the names of `rosetta/default.ts-fixture`, and the files that it finds in its folder. */
export interface Program {
  readonly code: string;
  readonly files: Readonly<Record<string, string>>;
}

const AWS_CDK = 'aws-cdk-lib';

/** Findings of an app of which a program makes the content. With a `package.json` that does not name it, AWS CDK is not installed. */
export function findingsOf(program: Program): SynthFinding[] {
  const { 'package.json': packages = AWS_CDK } = program.files;
  return packages.includes(AWS_CDK) ? findingsOfApp(program) : withoutAwsCdk(program);
}

/** Only a process of its own can lack a package. */
function withoutAwsCdk(program: Program): SynthFinding[] {
  const code = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name.startsWith('${AWS_CDK}')) throw Object.assign(new Error('no ' + name), { code: 'MODULE_NOT_FOUND' });
      return resolve(name, ...rest);
    };
    const { findingsOfApp } = require('./scripts/docs/construct-examples.ts');
    process.stdout.write(JSON.stringify(findingsOfApp(${JSON.stringify(program)})));`;
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.scripts.json') };
  return JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', '--eval', code], { cwd: ROOT, encoding: 'utf8', env }),
  );
}

export function findingsOfApp(program: Program): SynthFinding[] {
  return inApp(
    program,
    (app) => {
      app.synthYaml();
      return warningsBelow(app);
    },
    (error) => {
      const found = error.message.split('\n').flatMap((line) => messageIn(line, 'error') ?? []);
      if (found.length === 0) {
        throw error;
      }
      return found;
    },
  );
}

/** Looks at an app of which a program makes the content, in the folder of its files. */
export function inApp<T>({ code, files }: Program, look: (app: App) => T, failed: (error: Error) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const home = process.cwd();
  const app = new App();
  const chart = new Chart(app, 'chart', { namespace: 'shop' });
  const names: Record<string, unknown> = {
    ...require('constructs'),
    ...require('cdk8s'),
    ...require('cdk8s-plus-27'),
    // what is generated before the library can be loaded may need the examples
    ...require('../../src'),
    app,
    chart,
    ...(/\bstack\b/.test(code) && { stack: cdkStack() }),
  };
  const { write } = process.stderr;
  process.stderr.write = () => true;
  process.chdir(folder);
  try {
    new Function(...Object.keys(names), `'use strict';\n${code}`)(...Object.values(names));
    return look(app);
  } catch (error) {
    return failed(error as Error);
  } finally {
    process.stderr.write = write;
    process.chdir(home);
    rmSync(folder, { recursive: true });
  }
}

/** A stack of AWS CDK, which takes long to load, or any construct if that is not installed. */
function cdkStack(): unknown {
  try {
    require.resolve(AWS_CDK);
  } catch {
    return new RootConstruct();
  }
  const { Stack }: typeof import('aws-cdk-lib') = require('aws-cdk-lib');
  return new Stack(undefined, 'Identity', { env: { account: '123456789012', region: 'eu-west-1' } });
}

function warningsBelow(app: IConstruct): SynthFinding[] {
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.filter(({ type }) => type === WARNING))
    .map(({ data }) => messageIn(`[] ${data.message}`, 'warning') as SynthFinding);
}

/** Parts of `[path] who: what; remedy (rule)`, of which a refusal has no brackets. */
function messageIn(line: string, severity: 'error' | 'warning'): SynthFinding | undefined {
  const [, sentence = '', rule] = /^\s*(?:\[[^\]]*\] [^:]+: |[\w./-]+: )?(.*) \(([a-z][a-z0-9-]+)\)$/.exec(line) ?? [];
  const [, what = sentence, remedy = ''] = /^(.*); (.*)$/.exec(sentence) ?? [];
  return rule === undefined ? undefined : { rule, severity, what, remedy };
}
