import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { RuleSet } from '../../src/rules/rule-set';

// With RECORD_FINDINGS=FILE, every finding of every rule in a test run goes to that file, a line of JSON each. `npm run findings`
// compares two such files: a redesign may lose no finding that it does not name.

const path = process.env.RECORD_FINDINGS;
if (path !== undefined) {
  const { RuleSet: Recorded } = require('../../src/rules/rule-set') as { RuleSet: typeof RuleSet };
  const check = Recorded.prototype.check;
  const lines = new Set<string>();
  Recorded.prototype.check = function (object, ...rest) {
    const result = check.call(this, object, ...rest);
    for (const { ruleId, at, value, what, remedy } of [...result.errors, ...result.warnings]) {
      lines.add(JSON.stringify([hashOf(object), ruleId, at ?? '', value ?? '', what, remedy ?? '']));
    }
    return result;
  };
  afterAll(() => {
    Recorded.prototype.check = check;
    appendFileSync(path, [...lines].map((line) => `${line}\n`).join(''));
  });
}

function hashOf(object: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(object) ?? '')
    .digest('hex')
    .slice(0, 16);
}
