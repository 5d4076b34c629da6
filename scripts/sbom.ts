// Writes dist/sbom.cdx.json: the software of others that is in the package, as CycloneDX. `npm sbom` knows of node_modules alone, and it is
// in the file of the command.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledCommand, licenceOf } from './command/bundle';
import { ROOT } from './docs/files';

const { name, version, license, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

function component(of: string, its: string, licence: string) {
  const purl = `pkg:npm/${of.replace('@', '%40')}@${its}`;
  return { type: 'library', 'bom-ref': purl, name: of, version: its, purl, licenses: [{ license: { id: licence } }] };
}

const components = bundledCommand().packages.map((folder) => {
  const found = licenceOf(folder);
  return component(found.name, found.version, found.licence);
});
const unique = [...new Map(components.map((one) => [one.purl, one])).values()].sort((a, b) =>
  a.purl < b.purl ? -1 : 1,
);
const metadata = { component: { ...component(name, version, license), description } };
const dependencies = [{ ref: metadata.component.purl, dependsOn: unique.map(({ purl }) => purl) }];

mkdirSync(join(ROOT, 'dist'), { recursive: true });
writeFileSync(
  join(ROOT, 'dist', 'sbom.cdx.json'),
  `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components: unique, dependencies }, undefined, 2)}\n`,
);
process.stdout.write(`dist/sbom.cdx.json: ${unique.map(({ purl }) => purl).join(', ')}\n`);
