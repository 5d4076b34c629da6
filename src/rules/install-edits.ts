import type { EditFact } from '../contract/edit';

/** What another installation of a controller does to balancers that are live. */
export interface InstallEdits {
  /** By the names of its flags, without dashes; what the others do was not read. */
  readonly flags: Readonly<Record<string, EditFact>>;
  /** What flags are where they are not written. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** The values of its chart that become a flag, by their names. */
  readonly flagOfValue?: Readonly<Record<string, string>>;
  /** What values of its chart do that become no flag. */
  readonly values?: Readonly<Record<string, EditFact>>;
  /** The value of its chart that says how many pods it has. */
  readonly replicas?: string;
}
