import { casesIn } from '../support/yaml-cases';

/** The certificate of an authority that signs nothing: its key was thrown away. */
export const AUTHORITY = casesIn(__dirname, 'certificates.yaml').authority;

/** A certificate that is no authority (`CA:FALSE`). */
export const NO_AUTHORITY = casesIn(__dirname, 'certificates.yaml').noAuthority;
