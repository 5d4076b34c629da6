import type { Json } from '../../contract/json';
import { placeholderIn } from '../../contract/kubernetes-syntax';
import { AWS_LBC_CLASS } from '../../controllers/aws-load-balancer-controller/annotations';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws.facts';
import { isUnresolved, parseArn } from '../../identity/aws/aws-arn';
import type { Rule } from '../../rules/rule';
import { type InstallationContext, installationError, type OtherInstallation } from './installation-rule';
import { flagsOf, gatesIn } from './rules';

const NAME = 'cluster-name';
const WATCHED = 'watch-namespace';
const CLASS = 'load-balancer-class';

const known = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && !isUnresolved(text) && !placeholderIn(text);

function mayAgree(flag: string, one: Json, other: Json): boolean {
  const [a, b] = [flagsOf(one)[flag], flagsOf(other)[flag]];
  return !known(a) || !known(b) || a === b;
}

function accountOf(serviceAccount: Json | undefined): string | undefined {
  const arn = serviceAccount?.metadata?.annotations?.[ROLE_ARN_ANNOTATION];
  const account = typeof arn === 'string' ? parseArn(arn)?.account : undefined;
  return known(account) ? account : undefined;
}

/** Whether two installations find the same balancers: by one name of a cluster, in one network unless they look by tags. */
function findSameBalancers(mine: Json, other: OtherInstallation, { serviceAccount }: InstallationContext): boolean {
  const name = flagsOf(mine)[NAME];
  const theirs = other.deployment;
  const [account, foreign] = [accountOf(serviceAccount), accountOf(other.serviceAccount)];
  const looksByTag = [mine, theirs].some((deployment) => gatesIn(deployment).EnableRGTAPI === 'true');
  return (
    name !== undefined &&
    name === flagsOf(theirs)[NAME] &&
    !placeholderIn(name) &&
    mayAgree('aws-region', mine, theirs) &&
    (mayAgree('aws-vpc-id', mine, theirs) || looksByTag) &&
    (account === undefined || foreign === undefined || account === foreign)
  );
}

/** The class that two controllers of one cluster both serve; undefined if there is none. */
function servedByBoth(mine: Json, other: Json): string | undefined {
  const [own, theirs] = [mine, other].map((deployment) => flagsOf(deployment)[CLASS] ?? AWS_LBC_CLASS);
  const serve = [mine, other].every((deployment) => gatesIn(deployment).EnableServiceController !== 'false');
  const areApart = [mine, other].every((deployment) => flagsOf(deployment)[WATCHED]) && !mayAgree(WATCHED, mine, other);
  return serve && own === theirs && !areApart ? own : undefined;
}

/** What must be true between two installations. */
export const SECOND_INSTALLATION_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'second-installation',
    'two controllers with one cluster name destroy the load balancers of each other',
    'docs/deploy/configurations.md',
    (mine, context) =>
      context.others
        .filter((other) => findSameBalancers(mine, other, context))
        .map(({ path }) => ({
          what: `is installed for cluster '${flagsOf(mine)[NAME]}' by ${path} already, and each of two would destroy the other's balancers, whatever classes they serve`,
          remedy:
            'keep one of them, and give it every class through its Services, or give each cluster a name of its own',
          value: flagsOf(mine)[NAME],
        })),
  ),
  installationError(
    'controllers-of-one-chart',
    'two controllers in one chart that serve the same Services',
    'pkg/service/service_utils.go',
    (mine, { others }) =>
      others
        .filter(({ inChart, deployment }) => inChart && !mayAgree(NAME, mine, deployment))
        .map(({ path, deployment }) => ({ path, served: servedByBoth(mine, deployment) }))
        .filter(({ served }) => served !== undefined)
        .map(({ path, served }) => ({
          what: `is for cluster '${flagsOf(mine)[NAME]}' in the chart of ${path}, a chart is applied to one cluster, and both serve Services of class '${served}': each makes balancers of its own for them`,
          remedy:
            "put each into a chart of its own where they are for two clusters; in one cluster keep one of them, or have each look at a namespace of its own (flags: { 'watch-namespace': … })",
          value: path,
        })),
  ),
];
