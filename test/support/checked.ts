import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../../src/cli/check';
import type { CheckReport } from '../../src/cli/check-report';
import { type CheckContext, NO_CONTEXT } from '../../src/cli/context/check-context';
import { readManifests } from '../../src/cli/manifests';

export function checkedText(content: string, context: Partial<CheckContext> = {}): CheckReport {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  try {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, content);
    return check(readManifests([file]), { ...NO_CONTEXT, ...context });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The findings of a check, each with its level, line and rule: `error 3 service-ports-invalid`. */
export function foundIn(content: string, context: Partial<CheckContext> = {}): string[] {
  return checkedText(content, context).findings.map(({ level, place, ruleId }) => `${level} ${place.line} ${ruleId}`);
}

export function saidBy(ruleId: string, content: string, context: Partial<CheckContext> = {}): string[] {
  return checkedText(content, context)
    .findings.filter((finding) => finding.ruleId === ruleId)
    .map(({ level, place, what, remedy }) => `${level} ${place.line}: ${what}; ${remedy}`);
}
