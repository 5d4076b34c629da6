import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';

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

/** Findings of an app of which a program makes the content. */
export function findingsOf({ code, files }: Program): SynthFinding[] {
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
    app.synthYaml();
    return warningsBelow(app);
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    const found = lines.map((line) => messageIn(line, 'error')).filter((one) => one !== undefined);
    if (found.length === 0) {
      throw error;
    }
    return found;
  } finally {
    process.stderr.write = write;
    process.chdir(home);
    rmSync(folder, { recursive: true });
  }
}

/** A stack of AWS CDK, which takes long to load. */
function cdkStack(): unknown {
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
