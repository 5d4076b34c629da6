import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/cli/check';
import { CONTEXT_FILE, readContextFile } from '../../src/cli/context/context-file';
import { diffText } from '../../src/cli/diff/formats';
import { makeDiff } from '../../src/cli/diff/make-diff';
import { readPath, readPaths, versionsOfOptions } from '../../src/cli/diff/read-sides';
import { FORMATS } from '../../src/cli/formats/formats';
import { readManifests } from '../../src/cli/manifests';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { briefControllersTable } from './controllers-page';
import { ROOT } from './files';
import { fenced } from './markdown';
import { STORIES, storyParts } from './stories';
import { briefStories, storyPictures } from './stories-in-brief';

/** The texts of the parts of a page that are generated, by the names of their marks. */
type Parts = Record<string, string>;

/** Pages that are written by hand, with their generated parts between marks. */
export function pagesWithParts(kinds: readonly ControllerDefinition[], reference: string): [string, string][] {
  const pages: Record<string, Parts> = {
    'README.md': {
      check: fenced('console', outputOfCheck('examples/stories/node-pool', 'before.yaml')),
      diff: fenced('console', foundInChange()),
      manifest: fenced('yaml', serviceOfFirstExample()),
      controllers: briefControllersTable(kinds, reference),
      stories: briefStories(),
    },
    'docs/explanation/stories.md': Object.assign(storyPictures(), ...STORIES.map(({ name }) => storyParts(name))),
    'docs/how-to/test-and-ci.md': { mistakes: fenced('text', saidOfMistakes()) },
    'docs/how-to/review-a-change.md': { diff: fenced('console', saidOfUpgrade()) },
  };
  return Object.entries(pages).map(([file, parts]) => [file, withParts(file, parts)]);
}

/** What the example says that fails on purpose. */
function saidOfMistakes(): string {
  try {
    require('../../examples/mistakes');
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('examples/mistakes.ts is there to fail, and does not');
}

/** The output of `check` for a file beside its context. */
function outputOfCheck(folder: string, name: string): string {
  const { context, mistakes } = readContextFile(join(folder, CONTEXT_FILE));
  if (!context) {
    throw new Error(mistakes.map(({ what }) => what).join('\n'));
  }
  const file = join(folder, name);
  return `$ npx cdk8s-load-balancers check ${file}\n${FORMATS.text(check(readManifests([file]), context)).trimEnd()}`;
}

/** The output of `diff` for the example of a change. */
function foundInChange(): string {
  const folder = 'examples/change';
  const [oldPath, newPath] = ['before.yaml', 'after.yaml'].map((file) => join(folder, file));
  const [sides] = readPaths(oldPath, newPath, {});
  const report = makeDiff(sides, { allowed: [], today: '2026-12-01' });
  return `$ npx cdk8s-load-balancers diff ${oldPath} ${newPath}\n${diffText(report, { isBrief: true }).trimEnd()}`;
}

/** The Service that the first example of the README writes. */
function serviceOfFirstExample(): string {
  const { FIRST_EXAMPLE, manifestsOf }: typeof import('../../test/support/pasted-page') =
    require('../../test/support/pasted-page');
  const objects = manifestsOf(FIRST_EXAMPLE).split(/^---\n/m);
  return (objects.find((text) => text.includes('kind: Service\n')) ?? '').trimEnd();
}

/** The output of `diff` for an upgrade of the operator of the example of YAML. */
function saidOfUpgrade(): string {
  const versions = { strimziFrom: '0.50', strimziTo: '1.2' };
  const given = versionsOfOptions(versions);
  if (!given) {
    throw new Error('versions are given, and not read');
  }
  const [sides] = readPath('examples/yaml', given, {});
  const report = makeDiff(sides, { allowed: [], today: '2026-12-01' });
  const words = `--strimzi-from ${versions.strimziFrom} --strimzi-to ${versions.strimziTo}`;
  return `$ npx cdk8s-load-balancers diff examples/yaml ${words} --verbose\n${diffText(report).trimEnd()}`;
}

/** A page with its generated parts, each between its two marks. */
function withParts(file: string, parts: Parts): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const marks = new RegExp(`(<!-- ${name} -->\\n).*?(<!-- /${name} -->)`, 's');
      if (!marks.test(text)) {
        throw new Error(`${file} has no place for the ${name}; write <!-- ${name} --> and <!-- /${name} -->`);
      }
      return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
    },
    readFileSync(join(ROOT, file), 'utf8'),
  );
}
