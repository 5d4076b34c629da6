// Writes docs/reference but for the API, the table of controllers in the README, and what snippets find around themselves.
import { writeGenerated } from './docs/files';
import { GENERATED_FOLDERS, generatedFiles } from './docs/pages';

writeGenerated(generatedFiles(), GENERATED_FOLDERS);
