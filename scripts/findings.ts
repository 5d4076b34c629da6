// Compares the findings of two test runs, or lists all messages by rule. A run is recorded with RECORD_FINDINGS=FILE npm test.
//   npm run findings -- BEFORE AFTER       rules with findings that are gone or new; exits with 1 if one is gone
//   npm run findings -- FILE --messages    every message and remedy by rule, as Markdown
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { changedFindings, messagesByRule, type RecordedFinding } from './findings/recorded';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { messages: { type: 'boolean' } } });

function read(path: string): RecordedFinding[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return [...new Set(lines)].map((line) => JSON.parse(line) as RecordedFinding);
}

const [before, after] = positionals;
if (before !== undefined && values.messages) {
  console.log(messagesByRule(read(before)));
} else if (after !== undefined) {
  const { gone, lines } = changedFindings(read(before), read(after));
  console.log(lines.join('\n'));
  process.exitCode = gone > 0 ? 1 : 0;
} else {
  console.error('pass two recorded files, or one and --messages');
  process.exitCode = 2;
}
