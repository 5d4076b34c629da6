import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checks } from './checks';
import { must, mustContain, mustFail, mustMatch } from './commands';
import {
  CONSUMERS,
  copyOfApp,
  expectedManifests,
  expectWhatIsIn,
  FINALIZER,
  MISTAKE,
  mustWriteTheSameBytes,
  mustWriteTheSamePermissions,
  withChange,
} from './consumers';
import type { Language } from './language';
import { type End, installApp, installBeside, installedVersion } from './npm-app';
import type { Packed } from './packed';
import { checkPage } from './page';

/** An app as one kind of module, at one end of the ranges. */
interface Kind {
  readonly type: 'commonjs' | 'module';
  readonly end: End;
  /** The line of cdk8s-plus at this end. */
  readonly plus: string;
}

const KINDS: readonly Kind[] = [
  { type: 'commonjs', end: 'oldest', plus: 'cdk8s-plus-27' },
  { type: 'module', end: 'newest', plus: 'cdk8s-plus-34' },
];

/** Where the library has the finalizer of the controller of AWS. */
const OWN_CONSTANTS = join('lib', 'controllers', 'aws-load-balancer-controller', 'annotations.js');

const jest = (...args: string[]) => [join('node_modules', 'jest', 'bin', 'jest.js'), ...args] as const;
const TSC = join('node_modules', 'typescript', 'bin', 'tsc');

/** @throws where a difference of snapshots does not have one entry of a list for another */
function mustSayOfFinalizers(output: string, before: string, after: string): void {
  mustMatch(output, new RegExp(`^\\s*- +"${before}",\\n\\s*\\+ +"${after}",$`, 'm'));
}

/** What an app repository has in its CI: it passes, and fails where a finalizer changes, in the app or by an upgrade. */
function checkSnapshots(checks: Checks, folder: string): void {
  must({ cwd: folder }, process.execPath, ...jest('--ci=false'));
  const count = expectedManifests().length;
  checks.that('its snapshot tests pass', () => {
    mustContain(
      must({ cwd: folder }, process.execPath, ...jest('--ci')),
      `Snapshots:   ${count} passed, ${count} total`,
    );
  });
  checks.that('its CI fails when a finalizer changes in the app', () => {
    withChange(join(folder, 'src', 'acme-controller.ts'), FINALIZER, 'lb.acme.example/other', () => {
      const output = mustFail({ cwd: folder }, process.execPath, ...jest('--ci'));
      mustSayOfFinalizers(output, FINALIZER, 'lb.acme.example/other');
      mustContain(output, `Snapshots:   1 failed, ${count - 1} passed, ${count} total`);
    });
  });
  checks.that('its CI fails when an upgrade of the library changes a finalizer', () => {
    const constants = join(folder, 'node_modules', 'cdk8s-load-balancers', OWN_CONSTANTS);
    withChange(constants, 'service.k8s.aws/resources', 'service.k8s.aws/other', () => {
      const output = mustFail({ cwd: folder }, process.execPath, ...jest('--ci'));
      mustSayOfFinalizers(output, 'service.k8s.aws/resources', 'service.k8s.aws/other');
    });
  });
}

/** Builds programs of test/consumers/ranges beside an app, with other packages at the same end of their ranges. */
function checkRanges(checks: Checks, folder: string, { end, plus }: Kind): void {
  cpSync(join(CONSUMERS, 'ranges'), join(folder, 'ranges'), { recursive: true });
  const program = join(folder, 'ranges', 'with-plus.ts');
  writeFileSync(program, readFileSync(program, 'utf8').replace('cdk8s-plus-27', plus));
  installBeside(folder, end, [plus, 'aws-cdk-lib']);
  const version = (name: string) => `${name} ${installedVersion(folder, name)}`;
  checks.that(`${version(plus)} and ${version('aws-cdk-lib')} have the types that the library takes`, () => {
    must({ cwd: folder }, process.execPath, TSC, '-p', 'ranges');
  });
  checks.that(`a Deployment of ${version(plus)} is pinned`, () => {
    const yaml = must({ cwd: folder }, process.execPath, 'build/ranges/with-plus.js');
    mustContain(yaml, 'service.k8s.aws/resources');
    mustContain(yaml, '- key: eks.amazonaws.com/nodegroup');
  });
  checks.that(`a role is made in a stack of ${version('aws-cdk-lib')}`, () => {
    const template = must({ cwd: folder }, process.execPath, 'build/ranges/with-aws-cdk.js');
    mustContain(template, 'AWS::EKS::PodIdentityAssociation');
    mustContain(template, 'elasticloadbalancing:CreateLoadBalancer');
  });
}

function checkKind(checks: Checks, packed: Packed, kind: Kind): void {
  const { type, end } = kind;
  const folder = copyOfApp(packed, 'typescript', `typescript-${type}`);
  installApp(folder, type, end, packed.tarball);
  const versions = ['cdk8s', 'constructs'].map((name) => `${name} ${installedVersion(folder, name)}`).join(', ');
  const where = { cwd: folder };
  checks.that(`${type} with ${versions}: it compiles under strict settings, without AWS CDK`, () => {
    must(where, process.execPath, TSC);
    if (existsSync(join(folder, 'node_modules', 'aws-cdk-lib'))) {
      throw new Error('aws-cdk-lib was installed');
    }
  });
  checks.that(`${type} with ${versions}: it writes the bytes that every language writes`, () => {
    must(where, process.execPath, 'build/src/main.js');
    if (packed.update && type === 'commonjs') {
      expectWhatIsIn(folder);
    }
    mustWriteTheSameBytes(folder);
    mustWriteTheSamePermissions(folder);
  });
  checks.that('the command checks what it has written', () => {
    mustContain(must(where, 'npx', '--no-install', 'cdk8s-load-balancers', 'check', 'dist'), '0 errors, 0 warnings');
  });
  checks.that('its mistake is reported in one sentence', () => {
    mustContain(mustFail(where, process.execPath, 'build/src/mistake.js'), MISTAKE);
  });
  if (type === 'commonjs') {
    checkSnapshots(checks, folder);
  }
  checkRanges(checks, folder, kind);
}

export const typescript: Language = {
  name: 'typescript',
  // the suite itself is run by all that it needs
  lack: () => undefined,
  run: (checks, packed) => {
    for (const kind of KINDS) {
      checkKind(checks, packed, kind);
    }
    const commands = (text: string) => text.replace(/^(npm install) cdk8s-load-balancers/gm, `$1 ${packed.tarball}`);
    checkPage(checks, packed, 'typescript', () => ({ commands }));
  },
};
