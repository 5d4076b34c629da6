/** How much a finding weighs: an error fails a check, a warning where that is asked for, a note never. */
export type Level = 'error' | 'warning' | 'note';

/** An object of the files that were checked, or one that a controller makes of an object of them. */
export interface CheckedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** What it is made of later, where it is in no file itself: `Kafka kafka/events, listener external`. */
  readonly madeBy?: string;
  /** The construct that made it, where cdk8s wrote it. */
  readonly construct?: string;
  /** The template that it was rendered from, as Helm writes it. */
  readonly template?: string;
}

/** A place in a file; lines and columns begin with 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Why a finding is no reason to fail: somebody accepted it. */
export interface Acceptance {
  readonly reason: string;
  /** The last day on which it is accepted, `2027-06-30`; without it, it always is. */
  readonly until?: string;
}

/** Something that is wrong with an object, or will surprise. */
export interface CheckFinding {
  readonly ruleId: string;
  readonly level: Level;
  /** The component that refuses or surprises. */
  readonly who: string;
  readonly what: string;
  readonly remedy: string;
  /** The offending value as text. */
  readonly value?: string;
  readonly object: CheckedObject;
  readonly place: Place;
  /** The offending field as a JSON pointer, where it is known. */
  readonly pointer?: string;
  readonly accepted?: Acceptance;
}

/** A rule that has no answer, since something is not known. */
export interface UnknownAnswer {
  readonly ruleId: string;
  readonly object: CheckedObject;
  readonly place: Place;
  /** What must be known for an answer, in words of the context file: `controllers`, `strimzi`. */
  readonly needs: readonly string[];
}

/** A document that cannot be read. */
export interface UnreadableDocument {
  readonly place: Place;
  readonly what: string;
  readonly remedy: string;
}

/** Something that is known of the cluster, and from where: what was inferred can be wrong. */
export interface KnownContext {
  /** What is known, in one clause: `controllers aws-load-balancer-controller 3.5.0 and cloud-provider-aws`. */
  readonly what: string;
  /** From where, in one clause: `load-balancers.yaml`, `the Deployment in k8s/lbc.yaml:12`. */
  readonly from: string;
  /** Whether it is a guess: what rests on it is a warning at most. */
  readonly isInferred: boolean;
}

/** All that a check of some files says. */
export interface CheckReport {
  readonly context: readonly KnownContext[];
  /** In the order of their files and places. Accepted ones are among them. */
  readonly findings: readonly CheckFinding[];
  readonly unknown: readonly UnknownAnswer[];
  readonly unreadable: readonly UnreadableDocument[];
  /** What is not checked and why, a sentence each. */
  readonly notes: readonly string[];
  /** How many objects were checked. */
  readonly objects: number;
}
