// Makes the links and pictures of the README absolute in the compiled assembly: the packages of other languages have it as their
// page, where a path of this repository leads nowhere. (npm leads paths to the repository by itself.)
'use strict';
const path = require('node:path');
const { ALL_SPEC_FEATURES, loadAssemblyFromPath, replaceAssembly } = require('@jsii/spec');

const ROOT = path.join(__dirname, '..');

const assembly = loadAssemblyFromPath(ROOT, false, ALL_SPEC_FEATURES);
const repository = assembly.repository.url.replace(/\.git$/, '');
assembly.readme.markdown = assembly.readme.markdown
  .split(/(^```.*?^```$)/gms)
  .map((part) =>
    part.startsWith('```')
      ? part
      : part
          .replace(/(!\[[^\]]*\]\()(?![a-z]+:)/g, `$1${repository}/raw/main/`)
          .replace(/\]\((?![a-z]+:|#)/g, `](${repository}/blob/main/`),
  )
  .join('');
replaceAssembly(assembly, ROOT);
