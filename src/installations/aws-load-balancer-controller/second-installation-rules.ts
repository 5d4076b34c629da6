import type { Json } from '../../contract/late-rendering';
import { isUnresolved, parseArn } from '../../identity/aws/aws-arn';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws-identity.facts';
import { flagsOf, gatesIn } from './installation-reading';
import {
  type InstallationDocuments,
  type InstallationRule,
  installationError,
  installationWarning,
  type OtherInstallation,
} from './installation-rule';

type Flags = Record<string, string>;

const NAME = 'cluster-name';
const REGION = 'aws-region';
const VPC = 'aws-vpc-id';

const known = (text: string | undefined): text is string => text !== undefined && text !== '' && !isUnresolved(text);

/** What is unknown may be equal. */
function mayAgree(flag: string, one: Flags, other: Flags): boolean {
  return !known(one[flag]) || !known(other[flag]) || one[flag] === other[flag];
}

/** Whether two installations say one name of a cluster, which is taken in one region alone. */
function sayOneName(one: Flags, other: Flags): boolean {
  return one[NAME] !== undefined && one[NAME] === other[NAME] && mayAgree(REGION, one, other);
}

/** The account of its role, where that is known. */
function accountOf(serviceAccount: Json | undefined): string | undefined {
  const arn = serviceAccount?.metadata?.annotations?.[ROLE_ARN_ANNOTATION];
  const account = typeof arn === 'string' ? parseArn(arn)?.account : undefined;
  return known(account) ? account : undefined;
}

/** Installations that say the name of this one's cluster, and are for another network that may be of the same account. */
function inOtherNetworks(mine: InstallationDocuments, others: readonly OtherInstallation[]): OtherInstallation[] {
  const flags = flagsOf(mine.deployment);
  const account = accountOf(mine.serviceAccount);
  return others.filter(({ deployment, serviceAccount }) => {
    const theirs = flagsOf(deployment);
    const foreign = accountOf(serviceAccount);
    const isOfAnotherAccount = account !== undefined && foreign !== undefined && account !== foreign;
    return sayOneName(flags, theirs) && !mayAgree(VPC, flags, theirs) && !isOfAnotherAccount;
  });
}

const looksByTag = (deployment: Json) => gatesIn(deployment).EnableRGTAPI === 'true';

/** What must be true between two installations. */
export const SECOND_INSTALLATION_RULES: readonly InstallationRule[] = [
  installationError(
    'second-installation',
    'one controller has the name of a cluster, whatever class it serves',
    'docs/deploy/configurations.md',
    ({ deployment }, { others }) => {
      const flags = flagsOf(deployment);
      return others
        .filter((other) => {
          const theirs = flagsOf(other.deployment);
          return sayOneName(flags, theirs) && mayAgree(VPC, flags, theirs);
        })
        .map(({ path }) => ({
          what: `is installed for cluster '${flags[NAME]}' by ${path} already, and each of two would destroy the other's balancers, whatever classes they serve`,
          wayOut: 'keep one of them, and give it every class through its Services',
          value: flags[NAME],
        }));
    },
  ),
  installationError(
    'tagging-api-across-networks',
    'a controller that finds balancers by one call for tags has the name of its cluster to itself in all networks of the account',
    'pkg/deploy/elbv2/tagging_manager.go',
    (documents, { others }) => {
      const cluster = flagsOf(documents.deployment)[NAME];
      return inOtherNetworks(documents, others)
        .filter((other) => looksByTag(documents.deployment) || looksByTag(other.deployment))
        .map(({ path }) => ({
          what: `is installed for cluster '${cluster}' by ${path} in another VPC as well, and with the feature gate EnableRGTAPI balancers are found by the name of the cluster in every VPC: it would destroy those of the other`,
          wayOut: 'give each cluster a name of its own, or leave the gate out',
          value: cluster,
        }));
    },
  ),
  installationWarning(
    'cluster-in-two-networks',
    'a cluster is in one network: two controllers with one name for two of them are of two accounts, or one VPC id is wrong',
    'pkg/deploy/elbv2/tagging_manager.go',
    (documents, { others }) => {
      const flags = flagsOf(documents.deployment);
      return inOtherNetworks(documents, others)
        .filter((other) => !looksByTag(documents.deployment) && !looksByTag(other.deployment))
        .map(({ path, deployment }) => ({
          what: `is installed for cluster '${flags[NAME]}' in '${flags[VPC]}', and by ${path} in '${flagsOf(deployment)[VPC]}': an account has one cluster of a name in a region`,
          wayOut: 'correct the VPC id of one of them, or acknowledge this where they are in two accounts',
          value: flags[VPC],
        }));
    },
  ),
];
