export type Level = 'error' | 'warning' | 'note';

export interface CheckedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly madeBy?: string;
  /** The construct that made it, where cdk8s wrote it. */
  readonly construct?: string;
  readonly template?: string;
  readonly renderedFrom?: string;
  readonly cluster?: string;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Acceptance {
  readonly reason: string;
  /** The last day on which it is accepted, `2027-06-30`; without it, it always is. */
  readonly until?: string;
  /** True if the object itself says so, by an annotation. */
  readonly isInSource?: true;
}

export interface CheckFinding {
  readonly ruleId: string;
  readonly level: Level;
  readonly who: string;
  readonly what: string;
  readonly remedy: string;
  readonly value?: string;
  readonly object: CheckedObject;
  readonly place: Place;
  readonly pointer: string;
  readonly accepted?: Acceptance;
  readonly isGuess?: true;
}

export interface UnknownAnswer {
  readonly ruleId: string;
  readonly object: CheckedObject;
  readonly place: Place;
  /** Context that an answer needs, in words of the context file: `controllers`, `strimzi`. */
  readonly needs: readonly string[];
}

export interface UnreadableDocument {
  readonly place: Place;
  readonly what: string;
  readonly remedy: string;
  readonly isSource?: true;
  readonly cluster?: string;
}

/** Something that is known of the cluster, and from where: what was inferred can be wrong. */
export interface KnownContext {
  /** The known context, in one clause: `controllers aws-load-balancer-controller 3.5.0 and cloud-provider-aws`. */
  readonly what: string;
  readonly from: string;
  /** True if it is a guess: what rests on it is a warning at most. */
  readonly isInferred: boolean;
  /** The key of load-balancers.yaml that another source can override. */
  readonly field?: 'kubernetes' | 'strimzi' | 'controllers';
  readonly cluster?: string;
}

export interface CheckReport {
  readonly context: readonly KnownContext[];
  readonly findings: readonly CheckFinding[];
  readonly unknown: readonly UnknownAnswer[];
  readonly unreadable: readonly UnreadableDocument[];
  readonly notes: readonly string[];
  /** Notes that hold only if they hold in all clusters: nothing fits an entry that is accepted in all of them. */
  readonly idleForAll?: readonly string[];
  readonly isIncomplete?: boolean;
  readonly objects: number;
}

export interface ViolatingResource {
  /** By this name alone cdk8s looks up the construct, whatever kind and namespace the object has. */
  readonly resourceName: string;
  readonly locations: readonly string[];
  readonly manifestPath: string;
}

export interface Violation {
  readonly ruleName: string;
  readonly recommendation: string;
  readonly fix: string;
  readonly violatingResources: readonly ViolatingResource[];
}

export function mergedReports(reports: readonly (CheckReport & { readonly cluster?: string })[]): CheckReport {
  const [only, ...others] = reports;
  if (others.length === 0 && only.cluster === undefined) {
    return only;
  }
  const inCluster = <T extends CheckFinding | UnknownAnswer>(one: T, cluster?: string): T => ({
    ...one,
    object: { ...one.object, cluster },
  });
  return {
    context: reports.flatMap(({ context, cluster }) => context.map((one) => ({ ...one, cluster }))),
    findings: reports.flatMap(({ findings, cluster }) => findings.map((one) => inCluster(one, cluster))),
    unknown: reports.flatMap(({ unknown, cluster }) => unknown.map((one) => inCluster(one, cluster))),
    unreadable: reports.flatMap(({ unreadable, cluster }) => unreadable.map((one) => ({ ...one, cluster }))),
    notes: others.length === 0 ? only.notes : mergedNotes(reports),
    objects: reports.reduce((sum, { objects }) => sum + objects, 0),
  };
}

export function mergedNotes(
  reports: readonly (Pick<CheckReport, 'notes' | 'idleForAll'> & { readonly cluster?: string })[],
): string[] {
  const isOfAll = (note: string) => reports.every(({ notes }) => notes.includes(note));
  return [
    ...new Set(
      reports.flatMap(({ cluster, notes, idleForAll = [] }) =>
        notes
          .filter((note) => isOfAll(note) || !idleForAll.includes(note))
          .map((note) => (isOfAll(note) ? note : `${cluster}: ${note}`)),
      ),
    ),
  ];
}
