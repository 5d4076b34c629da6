import { reaches } from '../../contract/compare-versions';
import type { Finding } from '../../contract/finding';
import { list } from '../../contract/json';
import { dnsLabelFault, labelKeyFault } from '../../contract/kubernetes-syntax';
import { ownValue } from '../../contract/own-value';
import type { Rule } from '../../rules/rule';
import { containerOf, flagsOf, gatesIn, pairsIn } from './app';
import { KNOWN_VERSION, TRACKING_TAGS, WITHOUT_GLOBAL_ACCELERATOR } from './facts';
import { unreadable } from './flag-values';
import { FEATURE_GATES, FEATURE_GATES_FILE, FLAGS, MISPRINTED_GATES } from './flags.facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';

const RUNTIME = 'pkg/config/runtime_config.go';
const BACKEND_GROUP = 'enable-backend-security-group';
const BACKEND_GROUP_RULES = 'enable-manage-backend-security-group-rules';
const isOn = (value = '') => /^(1|t|true)$/i.test(value);
const isOff = (value = '') => /^(0|f|false)$/i.test(value);
const known = new Set(FLAGS.map(({ flag }) => flag));
const fixed = FLAGS.filter(({ fixed: isFixed }) => isFixed).map(({ flag }) => flag);
const gates = new Set(FEATURE_GATES.map(({ gate }) => gate));
const KNOWN = KNOWN_VERSION;

/** The name that is meant by one that differs in capitals or separators alone. */
function meantBy(name: string, names: ReadonlySet<string>): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  return [...names].find((other) => other !== name && bare(other) === bare(name));
}

const meantFlag = (flag: string) => meantBy(flag, known);
const meantGate = (gate: string) => ownValue(MISPRINTED_GATES, gate) ?? meantBy(gate, gates);

/** The version that a flag or a gate came with, where an older one is installed. */
function tooNew(fact: { readonly since?: string } | undefined, version: string): string | undefined {
  const since = fact?.since;
  return since === undefined || reaches({ version }, since) ? undefined : since;
}

function gateFault(gate: string, value: string, version: string): Finding | undefined {
  const meant = meantGate(gate);
  if (!gates.has(gate)) {
    return {
      what: `has the feature gate '${gate}', which it does not know: it does not start`,
      remedy: meant
        ? `write ${meant}, as the program calls it`
        : 'write one that it knows, or name the version that knows it',
      value: gate,
    };
  }
  const since = tooNew(
    FEATURE_GATES.find((fact) => fact.gate === gate),
    version,
  );
  if (since) {
    return {
      what: `has the feature gate ${gate}, which version ${version} does not know: it does not start`,
      remedy: `leave it out, or install ${since} or newer`,
      value: gate,
    };
  }
  return /^(true|false)$/.test(value)
    ? undefined
    : { what: `has the feature gate ${gate} with '${value}'`, remedy: 'write true or false', value };
}

/** Rules about the flags of the controller. */
export const FLAG_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'unknown-flag',
    'the controller knows its flags; with another one it does not start',
    'pkg/config/controller_config.go',
    (deployment, { isKnownVersion, version = '' }) =>
      Object.keys(flagsOf(deployment)).flatMap((flag) => {
        const meant = meantFlag(flag);
        const since = tooNew(
          FLAGS.find((fact) => fact.flag === flag),
          version,
        );
        if (since) {
          return [
            {
              what: `has the flag --${flag}, which version ${version} does not know: it does not start`,
              remedy: `leave it out, or install ${since} or newer`,
              value: flag,
            },
          ];
        }
        return known.has(flag) || (!isKnownVersion && meant === undefined)
          ? []
          : [
              {
                what: `has the flag --${flag}, which it does not know: it does not start`,
                remedy: meant ? `write --${meant}` : 'write one that it knows, or name the version that knows it',
                value: flag,
              },
            ];
      }),
    ['isKnownVersion', 'version'],
  ),
  installationWarning(
    'newer-than-facts',
    'a flag or a feature gate of a newer version is one that this version knows: with another one it does not start',
    'pkg/config/controller_config.go',
    (deployment, { isKnownVersion, version = '' }) => {
      const flags = Object.keys(flagsOf(deployment)).filter((flag) => !known.has(flag) && !meantFlag(flag));
      const others = Object.keys(gatesIn(deployment)).filter((gate) => !gates.has(gate) && !meantGate(gate));
      const unknown = [
        ...flags.map((flag) => [`flag --${flag}`, flag]),
        ...others.map((gate) => [`gate ${gate}`, gate]),
      ];
      return isKnownVersion
        ? undefined
        : unknown.map(([what, value]) => ({
            what: `is installed as version ${version} with the ${what}, which ${KNOWN} has not: where ${version} has not either, it does not start`,
            remedy: `look it up in the documentation of ${version}, and acknowledge this if it is documented there`,
            value,
          }));
    },
    ['isKnownVersion', 'version'],
  ),
  installationError(
    'flag-value',
    'the value of a flag is one that the controller can read',
    'pkg/config/controller_config.go',
    (deployment) =>
      Object.entries(flagsOf(deployment)).flatMap(([flag, value]) => {
        const wanted = unreadable(FLAGS.find((fact) => fact.flag === flag)?.takes, value);
        return wanted
          ? [
              {
                what: `has --${flag} with '${value}', which is not ${wanted.says}`,
                remedy: `write it like ${wanted.example}`,
                value,
              },
            ]
          : [];
      }),
  ),
  installationError(
    'flags-together',
    'flags agree with one another; where they do not, the controller does not start',
    'pkg/config/controller_config.go',
    (deployment) => {
      const flags = flagsOf(deployment);
      const external = (flags['external-managed-tags'] ?? '').split(',').filter((tag) => tag !== '');
      const ours = pairsIn(flags['default-tags']).map(([key]) => key);
      const twice = external.filter((tag) => ours.includes(tag) || TRACKING_TAGS.includes(tag));
      return [
        ...twice.map((tag) => ({
          what: `tag '${tag}' is listed in external-managed-tags, and the controller writes it itself: it does not start`,
          remedy: 'take it out of external-managed-tags',
          value: tag,
        })),
        ...(isOff(flags[BACKEND_GROUP]) && isOn(flags[BACKEND_GROUP_RULES])
          ? [
              {
                what: `has --${BACKEND_GROUP_RULES} on and --${BACKEND_GROUP} off: it does not start`,
                remedy: `leave --${BACKEND_GROUP} on`,
              },
            ]
          : []),
      ];
    },
  ),
  installationError('flag-twice', 'each flag is set once', 'pkg/config/controller_config.go', (deployment) => {
    const given = list(containerOf(deployment).args).map((arg) => String(arg).split('=')[0]);
    return [...new Set(given.filter((flag, i) => given.indexOf(flag) !== i))].map((flag) => ({
      what: `has the flag ${flag} twice, and the last one counts`,
      remedy: `set it once:  ${propFor(flag)}`,
      value: flag,
    }));
  }),
  installationError(
    'fixed-flag',
    'ports, certificates and the lease are what the rest of the installation takes them for',
    RUNTIME,
    (deployment) =>
      fixed
        .filter((flag) => flagsOf(deployment)[flag] !== undefined)
        .map((flag) => ({
          what: `has the flag --${flag}, on which probes, Services, certificates or permissions depend`,
          remedy: 'leave it out',
          value: flag,
        })),
  ),
  installationError(
    'unknown-feature-gate',
    'the controller knows its feature gates; with another one it does not start',
    FEATURE_GATES_FILE,
    (deployment, { isKnownVersion, version = '' }) =>
      Object.entries(gatesIn(deployment)).flatMap(([gate, value]) => {
        const judged = isKnownVersion || gates.has(gate) || meantGate(gate) !== undefined;
        const finding = judged ? gateFault(gate, value, version) : undefined;
        return finding ? [finding] : [];
      }),
    ['isKnownVersion', 'version'],
  ),
  installationError(
    'gate-contradicts',
    'a feature gate that is set twice has one value',
    FEATURE_GATES_FILE,
    (_, { contradictedGates = [] }) =>
      contradictedGates.map((gate) => ({
        what: `has the feature gate ${gate} on by one entry of featureGates and off by another, featureGates.additional among them`,
        remedy: 'set it once',
        value: gate,
      })),
    ['contradictedGates'],
  ),
  installationWarning(
    'gate-without-effect',
    'Global Accelerator is wanted where AWS has it',
    'pkg/aga/utils.go',
    (deployment) => {
      const region = flagsOf(deployment)['aws-region'] ?? '';
      return gatesIn(deployment).GlobalAcceleratorController === 'true' &&
        WITHOUT_GLOBAL_ACCELERATOR.some((prefix) => region.startsWith(prefix))
        ? {
            what: `has the feature gate GlobalAcceleratorController, which it ignores in region '${region}'`,
            remedy: 'leave it out',
            value: region,
          }
        : undefined;
    },
  ),
  installationError(
    'served-class',
    'the class that the controller serves is valid in a Service',
    'pkg/config/service_config.go',
    (deployment) => {
      const given = flagsOf(deployment)['load-balancer-class'];
      const fault = given === undefined ? undefined : labelKeyFault(given);
      return fault
        ? { what: `loadBalancerClass is not valid: ${fault}`, remedy: 'write it like example.com/nlb', value: given }
        : undefined;
    },
  ),
  installationError(
    'watched-namespace',
    'the namespace that the controller watches has a valid name',
    RUNTIME,
    (deployment) => {
      const given = flagsOf(deployment)['watch-namespace'];
      const fault = given === undefined ? undefined : dnsLabelFault(given);
      return fault
        ? {
            what: `watchNamespace is not a valid namespace name: ${fault}`,
            remedy: 'correct it, or leave it out to watch all namespaces',
            value: given,
          }
        : undefined;
    },
  ),
];

function propFor(text: string): string {
  const prop = FLAGS.find(({ flag }) => `--${flag}` === text)?.prop;
  return prop ? `by the prop ${prop}` : 'in additionalFlags';
}
