import { writeFileSync } from 'node:fs';
import { BUNDLE, bundledHook } from './bundle';

writeFileSync(BUNDLE, bundledHook());
