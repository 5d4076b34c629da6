import '../../src';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { check } from '../../src/cli/check';
import type { CheckReport } from '../../src/cli/check-report';
import { type CheckContext, NO_CONTEXT } from '../../src/cli/context/check-context';
import { readManifests } from '../../src/cli/manifests';

/** What a check says of some files, by their names. */
export function checkedFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  context: Partial<CheckContext> = {},
): CheckReport {
  const folder = mkdtempSync(join(tmpdir(), 'checked-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return check(readManifests([folder]), { ...NO_CONTEXT, ...context });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a check says of a file. */
export function checked(content: string | Uint8Array, context: Partial<CheckContext> = {}): CheckReport {
  return checkedFiles({ 'a.yaml': content }, context);
}

/** Everything that is wrong and no mere note, each as line and rule: `7 annotation-value-invalid`; what cannot be read is `7 unreadable`. */
export function linesOf({ findings, unreadable }: CheckReport): string[] {
  return [
    ...unreadable.map(({ place }) => `${place.line} unreadable`),
    ...findings.filter(({ level }) => level !== 'note').map(({ place, ruleId }) => `${place.line} ${ruleId}`),
  ];
}
