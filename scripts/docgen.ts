// Writes API.md, which is an index, and the pages of docs/reference/api, from the compiled library.
import { API_FOLDER, apiPages } from './api/pages';
import { ROOT, writeGenerated } from './docs/files';

writeGenerated(apiPages(ROOT), [API_FOLDER]);
