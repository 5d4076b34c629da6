import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../bench/result';
import { allKinds, knownKinds } from '../../src/rules/known-kinds';
import { apiPages } from '../api/pages';
import { WHAT_HAPPENS } from '../cluster/what-happens';
import { descriptorFiles } from '../descriptors/files';
import { ANNOTATION_SCHEMAS, annotationSchemas } from './annotation-schemas';
import { annotationsPage } from './annotations-page';
import { objectFieldsPage, serviceFieldsPage } from './changes-pages';
import { commandsPage } from './commands-page';
import { contextPage } from './context-page';
import { contextSchema } from './context-schema';
import { annotationsPath, controllersPage } from './controllers-page';
import { DECLARED_TYPES, declaredTypesFile } from './declared-types';
import { describedRulesFile } from './described-rules';
import { ROOT } from './files';
import { defaultFixture } from './fixture';
import { pagesWithParts } from './parts';
import { RULE_EXAMPLES, ruleExamplesFile } from './rule-examples';
import { rulePages } from './rule-pages';
import { ruleIdsOf, rulesPage } from './rules-page';
import { speedPage } from './speed-page';
import { supportedVersionsPage } from './supported-versions-page';
import { whatAnUpgradeDoesPage } from './what-an-upgrade-does-page';
import { whichControllerPage } from './which-controller-page';

/** Folders in which every file is generated from the catalogues. */
export const GENERATED_FOLDERS = [join('docs', 'reference', 'annotations'), ANNOTATION_SCHEMAS];

const REFERENCE = 'docs/reference/';
/** The package has it, for editors. */
const CONTEXT_SCHEMA = 'schema/load-balancers.schema.json';

/** Controllers of vendors, of which a descriptor is all there is. */
const vendorsOf = () => allKinds().filter((kind) => !knownKinds().includes(kind));

/** Every generated file, by its path, with the text that it must have. */
export function generatedFiles(): Map<string, string> {
  const kinds = knownKinds();
  const rules = rulesPage(kinds);
  const ruleIds = ruleIdsOf(rules);
  return new Map([
    ...pagesWithParts(kinds, REFERENCE),
    [`${REFERENCE}controllers.md`, controllersPage(kinds, vendorsOf())],
    [`${REFERENCE}commands.md`, commandsPage()],
    [`${REFERENCE}rules.md`, rules],
    [`${REFERENCE}load-balancers-yaml.md`, contextPage()],
    [`${REFERENCE}supported-versions.md`, supportedVersionsPage(kinds)],
    [`${REFERENCE}service-fields.md`, serviceFieldsPage(kinds)],
    ['docs/explanation/what-an-upgrade-does.md', whatAnUpgradeDoesPage(kinds)],
    ['docs/which-controller.md', whichControllerPage(kinds, vendorsOf())],
    ...kinds.map((kind): [string, string] => [`${REFERENCE}${annotationsPath(kind)}`, annotationsPage(kind)]),
    ['docs/explanation/speed.md', speedPage(readResult())],
    ['rosetta/default.ts-fixture', defaultFixture()],
    [CONTEXT_SCHEMA, `${JSON.stringify(contextSchema(ruleIds), undefined, 2)}\n`],
    ...annotationSchemas(allKinds()),
    ['src/rules/described-rules.facts.ts', describedRulesFile(kinds)],
    [RULE_EXAMPLES, ruleExamplesFile()],
    ...descriptorFiles(),
    [DECLARED_TYPES, declaredTypesFile()],
  ]);
}

/** Pages that the site has and the repository does not: they are long, and made of the library alone. */
export function sitePages(): Map<string, string> {
  return new Map([
    ...apiPages(ROOT),
    [`${REFERENCE}object-fields.md`, objectFieldsPage(knownKinds())],
    ...vendorsOf().map((kind): [string, string] => [`${REFERENCE}${annotationsPath(kind)}`, annotationsPage(kind)]),
    ...rulePages(),
    [WHAT_HAPPENS, readFileSync(join(ROOT, WHAT_HAPPENS), 'utf8')],
  ]);
}
