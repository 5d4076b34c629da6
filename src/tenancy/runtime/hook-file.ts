import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let text: string | undefined;

/** The program of the hook, as it is bundled; it lies beside `lib`. */
export function hookFile(): string {
  text ??= readFileSync(join(__dirname, '..', '..', '..', 'assets', 'shared-services-hook.js'), 'utf8');
  return text;
}
