import type { SchemaFields } from '../contract/schema/walk';

// The form of the tables in *.facts.yaml.

export interface SomeVersions {
  readonly since?: string;
  readonly until?: string;
  readonly file: string;
  readonly tag: string;
}

/** The syntax of a flag's value; `pair`, `security-group` and `throttle` are read by the AWS Load Balancer Controller itself. */
export type FlagKind =
  | 'boolean'
  | 'integer'
  | 'count'
  | 'number'
  | 'duration'
  | 'text'
  | 'pairs'
  | 'pair'
  | 'security-group'
  | 'throttle';

export interface FlagFact {
  readonly flag: string;
  readonly file?: string;
  readonly prop?: string;
  readonly since?: string;
  /** It cannot be set, since other parts of the installation depend on its default. */
  readonly fixed?: true;
  /** A kind of value, or the only values; any text if unset. */
  readonly takes?: FlagKind | readonly string[];
}

export interface FeatureGateFact {
  readonly gate: string;
  readonly since?: string;
  readonly byDefault: boolean;
  readonly installed?: boolean;
}

export type Part = 'core' | 'ingress' | 'gateway' | 'global-accelerator' | 'alb-target-control' | 'service-webhook';

export interface RbacFact {
  readonly part: Part;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export interface WebhookFact {
  readonly part: Part;
  readonly type: 'mutating' | 'validating';
  readonly name: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly operations: readonly string[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly requiredBy?: 'requirePodMutator';
  readonly asksAws?: true;
  readonly upstreamFailurePolicy?: 'Fail';
  readonly namespaces?: readonly LabelRequirement[];
  /** It skips kube-system and the namespace of the controller. */
  readonly sparesSystem?: true;
  readonly sparesItself?: true;
  readonly objects?: readonly LabelRequirement[];
  readonly conditions?: readonly MatchCondition[];
}

export interface GatewayApiNeed {
  readonly of: string;
  readonly since: string;
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Kinds that only the experimental channel serves in that version, by gate. */
  readonly experimental: Readonly<Record<string, readonly string[]>>;
}

export type CrdColumn = readonly [name: string, type: string, jsonPath: string, priority?: number];

export interface CrdVersionFact {
  readonly name: string;
  readonly storage?: true;
  readonly status?: true;
  readonly deprecated?: string;
  readonly columns: readonly CrdColumn[];
  readonly fields: SchemaFields;
}

export interface CrdFact {
  readonly part: Part;
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly CrdVersionFact[];
}

export interface CloudControllerFact {
  readonly name: string;
  readonly byDefault: boolean;
  readonly source: string;
}

/** A permission of the AWS cloud controller manager, and the controllers that use it; the program itself if unset. */
export interface CloudControllerRule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly names?: readonly string[];
  readonly usedBy?: readonly string[];
  readonly source: string;
}

export interface OperatorVariable extends SomeVersions {
  readonly name: string;
  /** A text of a template, or a field of the pod; set by `extraEnv` alone if unset. */
  readonly value?: string | { readonly fieldPath: string };
  /** The prop that writes it; without one `extraEnv` may replace it. */
  readonly prop?: string;
  /** It names images by version of Kafka or of the bridge, so its value is unknown for a release that is unknown. */
  readonly ofRelease?: boolean;
}

export interface OperatorGate extends SomeVersions {
  readonly name: string;
  /** The version from which it is on by default; never if unset. */
  readonly onSince?: string;
}

export interface OperatorLogger extends SomeVersions {
  readonly id: string;
  readonly logger: string;
  readonly level: string;
}

/** A field that every served API version of a definition has, by which the definitions of a release are recognized. */
export interface IdentifyingField extends SomeVersions {
  readonly definition: string;
  readonly path: string;
}

export interface RoleRule extends SomeVersions {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface OperatorRole {
  readonly name: string;
  readonly rules: readonly RoleRule[];
}

/** A binding: the end of its name, behind the name of the installation, and its role. */
export interface OperatorBinding {
  readonly suffix: string;
  readonly role: string;
  readonly file: string;
  readonly tag: string;
}
