import { casesIn } from './yaml-cases';

export const SARIF_SCHEMA: object = casesIn(__dirname, 'sarif-schema.yaml');

/** Signs that an address can have: all others are written with percent signs. */
const ADDRESS = /^(?:[\w.~!$&'()*+,;=:@/?#[\]-]|%[0-9A-F]{2})*$/i;

export const FORMATS_OF_ADDRESSES = {
  uri: (value: string) => ADDRESS.test(value) && /^[a-z][a-z0-9+.-]*:/i.test(value),
  'uri-reference': (value: string) => ADDRESS.test(value),
  'relative-uri': (value: string) => ADDRESS.test(value) && !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(value),
};

export interface SarifLog {
  readonly runs: readonly [SarifRun];
}

export interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly SarifRule[]; readonly semanticVersion?: string } };
  readonly invocations: readonly [
    Record<'toolExecutionNotifications' | 'toolConfigurationNotifications', SarifNotification[]>,
  ];
  readonly results: readonly SarifResult[];
  readonly properties: object;
}

export interface SarifRule extends Record<'shortDescription' | 'fullDescription', { readonly text: string }> {
  readonly id: string;
  readonly help: { readonly text: string; readonly markdown: string };
  readonly helpUri: string;
  readonly defaultConfiguration: { readonly level: string };
}

interface SarifNotification {
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly SarifLocation[];
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex?: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [SarifLocation];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly object[];
  readonly properties: object;
}

interface SarifLocation {
  readonly physicalLocation?: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
    readonly region: object;
  };
  readonly logicalLocations?: readonly object[];
}
