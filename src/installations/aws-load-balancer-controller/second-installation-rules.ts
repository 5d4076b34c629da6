import type { Json } from '../../contract/json';
import { placeholderIn } from '../../contract/placeholder';
import { AWS_LBC_CLASS } from '../../controllers/aws-load-balancer-controller/annotations';
import { isUnresolved } from '../../identity/aws/aws-arn';
import type { Rule } from '../../rules/rule';
import { flagsOf, gatesIn } from './app';
import { INGRESS_CLASS, NO_INGRESS_CLASS } from './facts';
import { type InstallationContext, installationError, type OtherInstallation } from './installation-rule';

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
];
