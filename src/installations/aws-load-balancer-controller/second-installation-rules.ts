import type { Json } from '../../contract/json';
import { placeholderIn } from '../../contract/placeholder';
import { AWS_LBC_CLASS } from '../../controllers/aws-load-balancer-controller/annotations';
import { isUnresolved, parseArn } from '../../identity/aws/aws-arn';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws-identity.facts';
import type { Rule } from '../../rules/rule';
import { someOf } from '../served-services';
import { flagsOf, gatesIn } from './app';
import { INGRESS_CLASS, LEADER_ELECTION_ID, NO_INGRESS_CLASS } from './facts';
import {
  type InstallationContext,
  installationError,
  installationWarning,
  type OtherInstallation,
} from './installation-rule';

type Flags = Record<string, string>;

const NAME = 'cluster-name';
const REGION = 'aws-region';
const VPC = 'aws-vpc-id';
const WATCHED = 'watch-namespace';

const known = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && !isUnresolved(text) && !placeholderIn(text);

/** What is unknown may be equal. */
function mayAgree(flag: string, one: Flags, other: Flags): boolean {
  return !known(one[flag]) || !known(other[flag]) || one[flag] === other[flag];
}

/** Whether two installations say one name of a cluster, which is taken in one region alone. */
function haveOneName(one: Flags, other: Flags): boolean {
  const name = one[NAME];
  return name !== undefined && name === other[NAME] && !placeholderIn(name) && mayAgree(REGION, one, other);
}

/** The account of its role, where that is known. */
function accountOf(serviceAccount: Json | undefined): string | undefined {
  const arn = serviceAccount?.metadata?.annotations?.[ROLE_ARN_ANNOTATION];
  const account = typeof arn === 'string' ? parseArn(arn)?.account : undefined;
  return known(account) ? account : undefined;
}

/** Installations that say the name of this one's cluster, and are for another network that may be of the same account. */
function inOtherNetworks(mine: Json, context: InstallationContext): OtherInstallation[] {
  const flags = flagsOf(mine);
  const account = accountOf(context.serviceAccount);
  return context.others.filter(({ deployment, serviceAccount }) => {
    const theirs = flagsOf(deployment);
    const foreign = accountOf(serviceAccount);
    const isOfAnotherAccount = account !== undefined && foreign !== undefined && account !== foreign;
    return haveOneName(flags, theirs) && !mayAgree(VPC, flags, theirs) && !isOfAnotherAccount;
  });
}

const looksByTag = (deployment: Json) => gatesIn(deployment).EnableRGTAPI === 'true';

const SERVICES = 'EnableServiceController';

/** What two controllers of one cluster both serve, as a message has it. */
function servedByBoth(mine: Json, other: Json, hasIngressClass: boolean): string[] {
  const [one, two] = [flagsOf(mine), flagsOf(other)];
  if (one[WATCHED] && two[WATCHED] && !mayAgree(WATCHED, one, two)) {
    return [];
  }
  const ownClass = one['load-balancer-class'] ?? AWS_LBC_CLASS;
  const serveServices = [mine, other].every((deployment) => gatesIn(deployment)[SERVICES] !== 'false');
  const ingresses = one['ingress-class'] ?? INGRESS_CLASS.name;
  return [
    ...(serveServices && ownClass === (two['load-balancer-class'] ?? AWS_LBC_CLASS)
      ? [`Services of class '${ownClass}'`]
      : []),
    ...(ingresses !== NO_INGRESS_CLASS && ingresses === (two['ingress-class'] ?? INGRESS_CLASS.name)
      ? [`Ingresses of class '${ingresses}'`]
      : hasIngressClass
        ? [`Ingresses of every class of '${INGRESS_CLASS.controller}', whatever its name`]
        : []),
  ];
}

/** Whether two controllers of one cluster hold one lease. */
function shareLease(mine: Json, other: Json): boolean {
  const leaseOf = (deployment: Json) => {
    const flags = flagsOf(deployment);
    const namespace = flags['leader-election-namespace'] || deployment.metadata?.namespace;
    return `${namespace}/${flags['leader-election-id'] || LEADER_ELECTION_ID}`;
  };
  return leaseOf(mine) === leaseOf(other);
}

/** Installations in this one's chart, under another name of the cluster. */
function inOneChart(mine: Json, others: readonly OtherInstallation[]): OtherInstallation[] {
  return others.filter((other) => other.inChart && !mayAgree(NAME, flagsOf(mine), flagsOf(other.deployment)));
}

/** What must be true between two installations. */
export const SECOND_INSTALLATION_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'second-installation',
    'one controller has the name of a cluster, whatever class it serves',
    'docs/deploy/configurations.md',
    (deployment, { others }) => {
      const flags = flagsOf(deployment);
      return others
        .filter((other) => {
          const theirs = flagsOf(other.deployment);
          return haveOneName(flags, theirs) && mayAgree(VPC, flags, theirs);
        })
        .map(({ path }) => ({
          what: `is installed for cluster '${flags[NAME]}' by ${path} already, and each of two would destroy the other's balancers, whatever classes they serve`,
          remedy: 'keep one of them, and give it every class through its Services',
          value: flags[NAME],
        }));
    },
  ),
  installationError(
    'controllers-of-one-chart',
    'two controllers in one chart, which is applied to one cluster, serve different Services and Ingresses',
    'pkg/ingress/group_loader.go',
    (mine, { others, hasIngressClass }) =>
      inOneChart(mine, others)
        .map((other) => ({ path: other.path, served: servedByBoth(mine, other.deployment, hasIngressClass) }))
        .filter(({ served }) => served.length > 0)
        .map(({ path, served }) => ({
          what: `is for cluster '${flagsOf(mine)[NAME]}' in the chart of ${path}, a chart is applied to one cluster, and both serve ${served.join(' and ')}: each makes balancers of its own for them`,
          remedy:
            'put each into a chart of its own where they are for two clusters; in one cluster keep one of them, or have each look at a namespace of its own (watchNamespace)',
          value: path,
        })),
  ),
  installationError(
    'one-lease',
    'two controllers in one chart are in different namespaces: they hold one lease in each',
    'pkg/config/runtime_config.go',
    (mine, { others }) =>
      inOneChart(mine, others)
        .filter((other) => shareLease(mine, other.deployment))
        .map(({ path }) => ({
          what: `is in the namespace and the chart of ${path}, where both wait for the lease ${LEADER_ELECTION_ID}: one of them never works`,
          remedy: 'put it into a namespace of its own, or into a chart for another cluster',
          value: path,
        })),
  ),
  installationError(
    'object-twice',
    'an object of an installation is once in its chart',
    'helm/aws-load-balancer-controller/crds/crds.yaml',
    (_, { twice = [] }) =>
      twice.length === 0
        ? undefined
        : {
            what: `writes what its chart has already: ${someOf(twice)}; the one that is applied last replaces the other`,
            remedy:
              'keep one of each (crds: false, ingressClass: false, another name), or put the installation into a chart of its own',
            value: twice[0],
          },
    ['twice'],
  ),
  installationError(
    'tagging-api-across-networks',
    'a controller that finds balancers by one call for tags has the name of its cluster to itself in all networks of the account',
    'pkg/deploy/elbv2/tagging_manager.go',
    (mine, context) => {
      const cluster = flagsOf(mine)[NAME];
      return inOtherNetworks(mine, context)
        .filter((other) => looksByTag(mine) || looksByTag(other.deployment))
        .map(({ path }) => ({
          what: `is installed for cluster '${cluster}' by ${path} in another VPC as well, and with the feature gate EnableRGTAPI balancers are found by the name of the cluster in every VPC: it would destroy those of the other`,
          remedy: 'give each cluster a name of its own, or leave the gate out',
          value: cluster,
        }));
    },
  ),
  installationWarning(
    'cluster-in-two-networks',
    'a cluster is in one network: two controllers with one name for two of them are of two accounts, or one VPC id is wrong',
    'pkg/deploy/elbv2/tagging_manager.go',
    (mine, context) => {
      const flags = flagsOf(mine);
      return inOtherNetworks(mine, context)
        .filter((other) => !looksByTag(mine) && !looksByTag(other.deployment))
        .map(({ path, deployment }) => ({
          what: `is installed for cluster '${flags[NAME]}' in '${flags[VPC]}', and by ${path} in '${flagsOf(deployment)[VPC]}': an account has one cluster of a name in a region`,
          remedy: 'correct the VPC id of one of them, or acknowledge this where they are in two accounts',
          value: flags[VPC],
        }));
    },
  ),
];
