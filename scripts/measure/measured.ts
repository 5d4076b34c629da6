import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesBelow } from '../../test/support/sources';
import { typesOf } from '../api/assembly';
import { ruleIdsOf } from '../docs/rules-page';
import { deadExports } from './dead-exports';
import { type SourceFigures, sourceFigures } from './source-figures';
import { type Titles, titlesBelow } from './titles';

/** What a version of this repository comes to. */
export interface Measured {
  readonly figures: SourceFigures;
  /** Classes, structs, interfaces and enums of the compiled assembly. */
  readonly publicTypes: readonly string[];
  /** What is exported for no code. */
  readonly deadExports: readonly string[];
  readonly ruleIds: readonly string[];
  readonly titles: Titles;
}

export function measured(root: string): Measured {
  const publicTypes = publicTypesOf(root);
  return {
    figures: sourceFigures(sourcesBelow(join(root, 'src'))),
    publicTypes,
    deadExports: deadExports(root, publicTypes),
    ruleIds: ruleIdsOf(readFileSync(join(root, 'docs', 'reference', 'rules.md'), 'utf8')),
    titles: titlesBelow(root),
  };
}

function publicTypesOf(root: string): string[] {
  const assembly = join(root, '.jsii');
  if (!existsSync(assembly)) {
    throw new Error(`there is no ${assembly}, which has the public types; run npx projen compile`);
  }
  return typesOf(root)
    .map(({ name }) => name)
    .sort();
}
