// Writes API.md, the index of the API, from the compiled library; the pages with the docstrings are made for the site.
import { apiIndex } from './api/pages';
import { ROOT, writeGenerated } from './docs/files';

writeGenerated(new Map([['API.md', apiIndex(ROOT)]]), []);
