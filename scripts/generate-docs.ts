// Writes docs/reference but for the API, the tables in the README, the facts that come from the sources, and what snippets find around
// themselves. First what is made of descriptors, then the declared types: pages are made of controllers, which need both.
import { descriptorFiles } from './descriptors/files';
import { writeGenerated } from './docs/files';

writeGenerated(descriptorFiles(), []);
const { DECLARED_TYPES, declaredTypesFile }: typeof import('./docs/declared-types') = require('./docs/declared-types');
writeGenerated(new Map([[DECLARED_TYPES, declaredTypesFile()]]), []);
const { GENERATED_FOLDERS, generatedFiles }: typeof import('./docs/pages') = require('./docs/pages');
writeGenerated(generatedFiles(), GENERATED_FOLDERS);
