import { dnsLabelFault, dnsNameFault } from '../../contract/kubernetes-syntax';
import { TOKEN_IN_TEXT } from '../../contract/unresolved-token.facts';
import { ACCOUNT_ID, ARN_SERVICES, PARTITIONS, REGION_NAME, ROLE_WITH_PATH } from './aws.facts';

export interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

const UNRESOLVED = new RegExp(`${TOKEN_IN_TEXT.source}|\\$\\{AWS::\\w+\\}`);

export function isUnresolved(text: string): boolean {
  return UNRESOLVED.test(text);
}

export const isResolved = (text: string | undefined): text is string => text !== undefined && !isUnresolved(text);

/** The text with everything that is known later replaced by as many characters as it may take. */
export function withRoomForTokens(text: string, room: number): string {
  return text.replace(new RegExp(UNRESOLVED.source, 'g'), 'x'.repeat(room));
}

export function parseArn(text: string): Arn | undefined {
  const [arn, partition, service, region, account, ...resource] = String(text).split(':');
  const complete = arn === 'arn' && service && region !== undefined && account !== undefined && resource.join(':');
  const known = PARTITIONS.some(({ id }) => id === partition);
  return complete && known ? { partition, service, region, account, resource: resource.join(':') } : undefined;
}

export type ArnService = keyof typeof ARN_SERVICES;

type Fits = (pattern: RegExp, part: string) => boolean;

const WILDCARD = /[*?]/;
const ROLE = 'role/';

function placeFault({ partition, region, account }: Arn, service: ArnService, fits: Fits): string | undefined {
  const { name, regional } = ARN_SERVICES[service];
  if (!regional && region !== '') {
    return `${name} has no region`;
  }
  if (regional && !fits(REGION_NAME, region)) {
    return 'it needs a region such as eu-west-1';
  }
  const home = partitionOfRegion(region);
  if (home !== undefined && home !== partition) {
    return `region ${region} is of partition ${home}`;
  }
  return fits(ACCOUNT_ID, account) ? undefined : 'it needs an account of twelve digits';
}

function resourceFault({ resource }: Arn, service: ArnService, fits: Fits): string | undefined {
  if (service === 'iam' && resource.startsWith(ROLE)) {
    const role = resource.slice(ROLE.length);
    return fits(ROLE_WITH_PATH, role) ? undefined : `'${role}' is not a valid role name`;
  }
  return /\s|\/$/.test(resource) ? 'it has a blank or ends with a slash' : undefined;
}

/**
 * Faults of an ARN that should be of a service and a resource of a kind, or nothing; tokens are taken as they are.
 * If wildcards are allowed, a part that has some may be anything without blanks.
 */
export function arnFault(
  text: string,
  service: ArnService,
  kind: RegExp,
  example: string,
  wildcards = false,
): string | undefined {
  if (isUnresolved(text)) {
    return undefined;
  }
  const arn = parseArn(text);
  const fault = `'${text}' is not an ARN like ${example}`;
  if (arn === undefined || arn.service !== service || !kind.test(arn.resource)) {
    return fault;
  }
  const fits: Fits = (pattern, part) => pattern.test(part) || (wildcards && WILDCARD.test(part) && !/\s/.test(part));
  const reason = placeFault(arn, service, fits) ?? resourceFault(arn, service, fits);
  return reason && `${fault}: ${reason}`;
}

export function partitionOfRegion(region: string): string | undefined {
  return PARTITIONS.find(({ regions }) => regions.test(region))?.id;
}

const ISSUER_OF_EKS = /^oidc\.eks\.([a-z0-9-]+)\./;

export function partitionOfIssuer(issuer: string): string | undefined {
  const region = ISSUER_OF_EKS.exec(issuer)?.[1];
  return region === undefined ? undefined : partitionOfRegion(region);
}

export type ArnInput = readonly [what: string, text: string | undefined];

export interface OfPartition {
  readonly who: string;
  readonly partition: string;
}

export interface ForeignPartition {
  readonly what: string;
  readonly home: string;
  readonly other: string;
}

/** The partition of an ARN, also where other parts of it are tokens; nothing where it is a token itself. */
export function partitionIn(arn: string): string | undefined {
  return parseArn(arn)?.partition;
}

function partitionsOf(given: readonly ArnInput[], partitionOf: (text: string) => string | undefined): OfPartition[] {
  return given.flatMap(([what, text]) => {
    const partition = text === undefined ? undefined : partitionOf(text);
    return partition === undefined ? [] : [{ who: `${what} '${text}'`, partition }];
  });
}

/** The first that is of another partition than the home, or, where none is known, than what is given first. */
export function foreignPartition(
  arns: readonly ArnInput[],
  issuers: readonly ArnInput[] = [],
  home?: OfPartition,
): ForeignPartition | undefined {
  const given = [...partitionsOf(arns, partitionIn), ...partitionsOf(issuers, partitionOfIssuer)];
  const [base, ...others] = home ? [home, ...given] : given;
  const other = others.find(({ partition }) => partition !== base.partition);
  return (
    other && {
      what: `${other.who} is of partition ${other.partition}, and ${base.who} of ${base.partition}`,
      home: base.partition,
      other: other.partition,
    }
  );
}

export function serviceAccountFault(namespace: string, serviceAccount: string): string | undefined {
  return (
    (isUnresolved(namespace) ? undefined : dnsLabelFault(namespace)) ??
    (isUnresolved(serviceAccount) ? undefined : dnsNameFault(serviceAccount))
  );
}
