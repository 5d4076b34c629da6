/**
 * The parts of a SARIF log that a check writes.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly [SarifRun];
}

export interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  readonly invocations: readonly [SarifInvocation];
  readonly columnKind: 'utf16CodeUnits';
  readonly results: readonly SarifResult[];
  readonly properties: object;
}

export interface SarifDriver {
  readonly name: string;
  readonly semanticVersion?: string;
  readonly informationUri: string;
  readonly rules: readonly SarifRule[];
}

export type SarifLevel = 'error' | 'warning' | 'note';

export interface SarifText {
  readonly text: string;
}

export interface SarifRule {
  readonly id: string;
  readonly shortDescription: SarifText;
  readonly fullDescription: SarifText;
  readonly help: SarifText & { readonly markdown: string };
  readonly helpUri: string;
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: object;
}

export interface SarifInvocation {
  readonly executionSuccessful: boolean;
  readonly toolExecutionNotifications: readonly SarifNotification[];
  readonly toolConfigurationNotifications: readonly SarifNotification[];
}

export interface SarifNotification {
  readonly level: SarifLevel;
  readonly message: SarifText;
  readonly locations?: readonly SarifLocation[];
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex?: number;
  readonly level: SarifLevel;
  readonly message: SarifText;
  readonly locations: readonly [SarifLocation];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly SarifSuppression[];
  readonly properties: object;
}

export interface SarifSuppression {
  readonly kind: 'external';
  readonly status: 'accepted';
  readonly justification: string;
  readonly properties?: object;
}

export interface SarifLocation {
  readonly physicalLocation?: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
    readonly region: { readonly startLine: number; readonly startColumn: number };
  };
  readonly logicalLocations?: readonly SarifLogicalLocation[];
}

export interface SarifLogicalLocation {
  readonly name?: string;
  readonly fullyQualifiedName: string;
  readonly kind: string;
}
