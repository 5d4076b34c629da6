import type { Checkout } from '../checkout';
import type { Fact, FactKind, KnownFact } from '../fact';

/** A table of this library that holds facts of one kind. */
export interface Table {
  readonly kind: FactKind;
  /** The file that is edited. */
  readonly place: string;
  /** What the table says of a version. */
  rows(version: string): readonly KnownFact[];
  /** The name that the table has for a fact; nothing where the fact is not for this table. */
  nameOf(fact: Fact): string | undefined;
  /** The line that a new fact would be there. */
  entry?(fact: Fact, version: string): string;
  /** Values of the release as the table writes them. */
  written?(fact: Fact): string;
}

/** How the releases of a controller are read, and what this library holds of them. */
export interface Product {
  readonly name: string;
  /** Owner and name of the repository, as citations have it. */
  readonly repository: string;
  /** The tag of a version. */
  tagOf(version: string): string;
  /** The version that a checkout is of. */
  versionOf(checkout: Checkout): string;
  read(checkout: Checkout, version: string): Promise<readonly Fact[]>;
  readonly tables: readonly Table[];
}

/** What a row of a table says of the versions that have it. */
export interface Versions {
  readonly since?: string;
  readonly until?: string;
}
