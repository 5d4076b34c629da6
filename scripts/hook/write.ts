import { writeFileSync } from 'node:fs';
import { bundledWatch, WATCH_BUNDLE } from '../watch/bundle';
import { BUNDLE, bundledHook } from './bundle';

writeFileSync(BUNDLE, bundledHook());
writeFileSync(WATCH_BUNDLE, bundledWatch());
