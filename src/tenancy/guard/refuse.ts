import type { IConstruct } from 'constructs';

/** What is wrong with the props of a construct, and what to do instead. */
export interface Fault {
  readonly ruleId: string;
  readonly what: string;
  readonly remedy: string;
}

/** Throws what is wrong with the props of a construct. */
export function refuse({ node }: IConstruct, { ruleId, what, remedy }: Fault): never {
  throw new Error(`${node.path}: ${what}; ${remedy} (${ruleId})`);
}

/** Throws the first of some faults, if there is one. */
export function refuseFirst(host: IConstruct, faults: readonly (Fault | undefined)[]): void {
  const fault = faults.find((one) => one !== undefined);
  if (fault) {
    refuse(host, fault);
  }
}
