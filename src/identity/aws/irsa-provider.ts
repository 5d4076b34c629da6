import { arnFault, isUnresolved, parseArn, partitionOfIssuer } from './aws-arn';

export interface IrsaProvider {
  readonly arn: string;
  readonly issuer: string;
}

export interface KnownOfProvider {
  readonly oidcProviderArn?: string;
  readonly issuer?: string;
  readonly accountId?: string;
}

const PROVIDER = 'arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
const PREFIX = /^oidc-provider\//;
const ISSUER = /^[a-z0-9.-]+\.[a-z]+(:\d+)?(\/[^\s*?]+)?$/;

export function issuerFault(issuer: string): string | undefined {
  if (isUnresolved(issuer)) {
    return undefined;
  }
  if (typeof issuer !== 'string') {
    return `'${String(issuer)}' is not an issuer; write host and path, as behind oidc-provider/ in the ARN`;
  }
  if (issuer.includes('://')) {
    return `the issuer '${issuer}' begins with a scheme; write it without https://`;
  }
  return ISSUER.test(issuer)
    ? undefined
    : `'${issuer}' is not an issuer; write host and path, as behind oidc-provider/ in the ARN`;
}

export function providerArnFault(arn: string): string | undefined {
  const fault = arnFault(arn, 'iam', /^oidc-provider\/./, PROVIDER);
  return fault && `${fault}; take the ARN of the cluster's OIDC provider`;
}

function mismatchOf(arn: string, issuer: string): string | undefined {
  const parsed = parseArn(arn);
  if (isUnresolved(arn) || isUnresolved(issuer) || parsed === undefined) {
    return undefined;
  }
  if (parsed.resource.replace(PREFIX, '') !== issuer) {
    return `the OIDC provider '${arn}' is not the one of the issuer '${issuer}'; name one cluster`;
  }
  const partition = partitionOfIssuer(issuer);
  return partition !== undefined && partition !== parsed.partition
    ? `the issuer '${issuer}' is in partition ${partition}, and the OIDC provider '${arn}' in ${parsed.partition}; write arn:${partition}:`
    : undefined;
}

export function issuerIn(arn: string): string {
  return (parseArn(arn)?.resource ?? '').replace(PREFIX, '');
}

export function providerOf({ oidcProviderArn, issuer, accountId }: KnownOfProvider): IrsaProvider | string {
  const fault =
    (oidcProviderArn === undefined ? undefined : providerArnFault(oidcProviderArn)) ??
    (issuer === undefined ? undefined : issuerFault(issuer));
  if (fault !== undefined) {
    return fault;
  }
  if (oidcProviderArn !== undefined) {
    const provider = { arn: oidcProviderArn, issuer: issuer ?? issuerIn(oidcProviderArn) };
    const account = parseArn(oidcProviderArn)?.account;
    if (accountId !== undefined && account !== undefined && account !== accountId) {
      return `the OIDC provider '${oidcProviderArn}' is of another account than ${accountId}; leave accountId out`;
    }
    return mismatchOf(provider.arn, provider.issuer) ?? provider;
  }
  if (issuer === undefined || accountId === undefined) {
    return 'the OIDC provider is not known; give oidcProviderArn, or issuer and accountId';
  }
  if (!isUnresolved(accountId) && !/^\d{12}$/.test(accountId)) {
    return `'${accountId}' is not an account ID; write its twelve digits`;
  }
  const partition = partitionOfIssuer(issuer);
  return partition === undefined
    ? `which partition the issuer '${issuer}' is used in is not known, since it is not an issuer of EKS; give oidcProviderArn`
    : { arn: `arn:${partition}:iam::${accountId}:oidc-provider/${issuer}`, issuer };
}
