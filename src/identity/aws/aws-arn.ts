import { PARTITIONS } from './aws-partition.facts';

/** An ARN in its parts. */
export interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  readonly resource: string;
}

const UNRESOLVED = /\$\{(Token|TOKEN)\[[^\]]*\]\}|\$\{AWS::\w+\}/;

/** Whether a text is, or holds, something that is known only when the stack is deployed. */
export function isUnresolved(text: string): boolean {
  return UNRESOLVED.test(text);
}

/** The text with everything that is known later replaced by as many characters as it may take. */
export function withRoomForTokens(text: string, room: number): string {
  return text.replace(new RegExp(UNRESOLVED.source, 'g'), 'x'.repeat(room));
}

/** An ARN, or nothing where the text is none. */
export function parseArn(text: string): Arn | undefined {
  const [arn, partition, service, region, account, ...resource] = text.split(':');
  const complete = arn === 'arn' && service && region !== undefined && account !== undefined && resource.join(':');
  const known = PARTITIONS.some(({ id }) => id === partition);
  return complete && known ? { partition, service, region, account, resource: resource.join(':') } : undefined;
}

/** What is wrong with an ARN that should be of a service and a resource of a kind, or nothing; tokens are taken as they are. */
export function arnFault(text: string, service: string, kind: RegExp, example: string): string | undefined {
  if (isUnresolved(text)) {
    return undefined;
  }
  const arn = parseArn(text);
  const fits =
    arn !== undefined && arn.service === service && kind.test(arn.resource) && /^(\d{12})?$/.test(arn.account);
  return fits ? undefined : `'${text}' is no ARN like ${example}`;
}

/** The partition that a region belongs to, or nothing where its name is unknown. */
export function partitionOfRegion(region: string): string | undefined {
  return PARTITIONS.find(({ regions }) => regions.test(region))?.id;
}

const ISSUER_OF_EKS = /^oidc\.eks\.([a-z0-9-]+)\./;

/** The partition that an issuer of EKS belongs to, or nothing where it is somebody else's. */
export function partitionOfIssuer(issuer: string): string | undefined {
  const region = ISSUER_OF_EKS.exec(issuer)?.[1];
  return region === undefined ? undefined : partitionOfRegion(region);
}
