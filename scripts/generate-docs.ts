// Writes docs/reference but for the API, the tables in the README, the facts that come from the sources, and what snippets find around
// themselves. The declared types stand first: pages are made of controllers, whose props are held against them.
import { DECLARED_TYPES, declaredTypesFile } from './docs/declared-types';
import { writeGenerated } from './docs/files';

writeGenerated(new Map([[DECLARED_TYPES, declaredTypesFile()]]), []);
const { GENERATED_FOLDERS, generatedFiles }: typeof import('./docs/pages') = require('./docs/pages');
writeGenerated(generatedFiles(), GENERATED_FOLDERS);
