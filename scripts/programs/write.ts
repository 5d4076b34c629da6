import { writeFileSync } from 'node:fs';
import { bundled, bundleOf, PROGRAMS } from './bundle';

for (const program of PROGRAMS) {
  writeFileSync(bundleOf(program), bundled(program));
}
