import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { typesOf } from '../../api/assembly';
import { lackOfGo } from '../../go/find-go';
import { BUILT_ON, generateCode, LIBRARY } from '../../packages/generated-code';
import { format, lackOfRuntime, MODULE, mustGo, useGenerated } from '../../packages/go-module';
import type { Checks } from './checks';
import { must, mustContain, mustFail } from './commands';
import { CONSUMERS, copyOfApp, MISTAKE, mustWriteTheSameBytes, mustWriteTheSamePermissions } from './consumers';
import type { Language } from './language';
import type { Packed } from './packed';
import { commandOf, npmFolder } from './packed-command';
import { checkPage } from './page';

/** Code, what jsii loads, and what a reader of the module needs. */
const IN_MODULE =
  /^(\w+\.go|(internal|jsii)\/\w+\.go|jsii\/cdk8s-load-balancers-[\d.]+\.tgz|LICENSE|NOTICE|README\.md|go\.mod|version)$/;

function checkModule(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const needless = files.filter((name) => !IN_MODULE.test(name));
  if (files.length < typesOf(LIBRARY).length || needless.length > 0) {
    throw new Error(`of ${files.length} files in ${folder} these are of no use:\n${needless.join('\n')}`);
  }
  mustContain(readFileSync(join(folder, 'go.mod'), 'utf8'), `module ${MODULE}\n`);
  mustContain(readFileSync(join(folder, 'README.md'), 'utf8'), '```go\n');
}

/** Go prints a panic with a tab before every line but the first. */
const withoutTabs = (output: string) => output.replace(/^\t/gm, '');

function checkApp(checks: Checks, packed: Packed): void {
  const library = generateCode('go', packed.empty('go-library'), [LIBRARY]);
  checks.that('what is generated is Go, and is formatted', () => {
    format(library);
  });
  checks.that('the module has its code, its README in Go, its licence, and nothing else', () => {
    checkModule(join(library, 'cdk8sloadbalancers'));
  });
  const folder = copyOfApp(packed, 'go');
  const where = { cwd: folder, env: { GOWORK: 'off' } };
  checks.that('the app is formatted', () => {
    const unformatted = must(where, 'gofmt', '-l', '.');
    if (unformatted !== '') {
      throw new Error(`gofmt would change\n${unformatted}`);
    }
  });
  const lack = lackOfRuntime(folder);
  if (lack !== undefined) {
    process.stderr.write(`test:languages left out the app in go, which needs ${lack}\n`);
    return;
  }
  const generated = useGenerated(library, generateCode('go', packed.empty('go-built-on'), BUILT_ON));
  mustGo(folder, ...generated);
  const compiled = checks.that('go vet finds nothing in the library and in the app', () => {
    mustGo(folder, 'vet', './...', `${MODULE}/...`);
  });
  if (!compiled) {
    return;
  }
  checks.that('it writes the bytes that every language writes', () => {
    must(where, 'go', 'run', './cmd/synth');
    mustWriteTheSameBytes(folder);
    mustWriteTheSamePermissions(folder);
  });
  checks.that('its mistake is reported as in every language', () => {
    mustContain(withoutTabs(mustFail(where, 'go', 'run', './cmd/mistake')), MISTAKE);
  });
  checkPage(checks, packed, 'go', () => ({
    // with what was generated in place of what is published, and the checksums of what is not
    commands: (text) =>
      text
        .replace(/^go get .*cdk8sloadbalancers$/m, `cp ${join(folder, 'go.sum')} . && go ${generated.join(' ')}`)
        .replace(/^npx --yes cdk8s-load-balancers /m, commandOf(packed)),
    env: { GOWORK: 'off', ...npmFolder(packed) },
  }));
}

export const go: Language = {
  name: 'go',
  lack: () => lackOfGo(join(CONSUMERS, 'go')),
  run: checkApp,
};
