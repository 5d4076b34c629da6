// Makes the links of the README absolute in the compiled assembly: the packages of other languages have it as their page, where a
// path of this repository leads nowhere. (npm leads paths to the repository by itself.)
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const ASSEMBLY = path.join(__dirname, '..', '.jsii');

const assembly = JSON.parse(fs.readFileSync(ASSEMBLY, 'utf8'));
const files = `${assembly.repository.url.replace(/\.git$/, '')}/blob/main/`;
assembly.readme.markdown = assembly.readme.markdown
  .split(/(^```.*?^```$)/gms)
  .map((part) => (part.startsWith('```') ? part : part.replace(/\]\((?![a-z]+:|#)/g, `](${files}`)))
  .join('');
// as jsii does with an assembly that was changed: nothing checks it
assembly.fingerprint = '*'.repeat(10);
fs.writeFileSync(ASSEMBLY, JSON.stringify(assembly, undefined, 2));
