// The parts of SARIF 2.1.0 that a check writes, as strict as the standard or stricter: nothing else may be in a log.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

const closed = (properties: Record<string, object>, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const string = { type: 'string', minLength: 1 };
const bag = { type: 'object' };
const level = { enum: ['error', 'warning', 'note'] };
const text = closed({ text: string });
const message = closed({ text: { type: 'string' } });
const number = { type: 'integer', minimum: 1 };
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const uri = { type: 'string', format: 'uri' };
const address = { type: 'string', format: 'uri', pattern: '^https://' };

const physicalLocation = closed({
  artifactLocation: {
    // a relative address is one of the folder that is named beside it
    oneOf: [
      closed({ uri: { type: 'string', format: 'relative-uri' }, uriBaseId: { const: '%SRCROOT%' } }),
      closed({ uri }),
    ],
  },
  region: closed({ startLine: number, startColumn: number }),
});

const logicalLocation = closed(
  { name: { type: 'string' }, fullyQualifiedName: string, kind: { enum: ['resource', 'construct', 'template'] } },
  ['fullyQualifiedName', 'kind'],
);

const result = closed(
  {
    ruleId: string,
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    locations: list(
      closed({ physicalLocation, logicalLocations: list(logicalLocation, { minItems: 1, uniqueItems: true }) }, [
        'logicalLocations',
      ]),
      { minItems: 1, maxItems: 1 },
    ),
    partialFingerprints: closed({ 'finding/v1': { type: 'string', pattern: '^[0-9a-f]{32}:[1-9][0-9]*$' } }),
    suppressions: list(
      closed(
        {
          kind: { const: 'external' },
          status: { const: 'accepted' },
          justification: { type: 'string' },
          properties: bag,
        },
        ['kind', 'status', 'justification'],
      ),
      { uniqueItems: true },
    ),
    properties: bag,
  },
  ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints', 'properties'],
);

const rule = closed({
  id: string,
  shortDescription: text,
  fullDescription: text,
  help: closed({ text: string, markdown: string }),
  helpUri: address,
  defaultConfiguration: closed({ level }),
  properties: bag,
});

const notification = closed(
  { level, message, locations: list(closed({ physicalLocation }), { minItems: 1, uniqueItems: true }) },
  ['level', 'message'],
);

const run = closed({
  tool: closed({
    driver: closed(
      {
        name: { const: 'cdk8s-load-balancers' },
        semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
        informationUri: address,
        rules: list(rule, { uniqueItems: true }),
      },
      ['name', 'informationUri', 'rules'],
    ),
  }),
  invocations: list(
    closed({
      executionSuccessful: { type: 'boolean' },
      toolExecutionNotifications: list(notification),
      toolConfigurationNotifications: list(notification),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  columnKind: { const: 'utf16CodeUnits' },
  results: list(result),
  properties: bag,
});

export const SARIF_SCHEMA = closed({
  $schema: address,
  version: { const: '2.1.0' },
  runs: list(run, { minItems: 1, maxItems: 1 }),
});

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
