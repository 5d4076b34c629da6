// Writes API.md, which is an index, and the pages of docs/reference/api, from the compiled library.
import { join } from 'node:path';
import { API_FOLDER, apiPages } from './api/pages';
import { writeGenerated } from './docs/files';

const root = join(__dirname, '..');
writeGenerated(apiPages(root), [API_FOLDER]);
