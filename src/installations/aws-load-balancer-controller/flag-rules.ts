import { dnsLabelFault, labelKeyFault } from '../../contract/kubernetes-syntax';
import type { Verdict } from '../../rules/rule';
import { FEATURE_GATES, FEATURE_GATES_FILE, MISPRINTED_GATES } from './feature-gates.facts';
import { FLAGS } from './flags.facts';
import { WITHOUT_GLOBAL_ACCELERATOR } from './installation.facts';
import { containerOf, flagsOf, gatesIn } from './installation-reading';
import { type InstallationRule, installationError } from './installation-rule';

const RUNTIME = 'pkg/config/runtime_config.go';
const known = new Set(FLAGS.map(({ flag }) => flag));
const fixed = FLAGS.filter(({ fixed: isFixed }) => isFixed).map(({ flag }) => flag);
const gates = new Set(FEATURE_GATES.map(({ gate }) => gate));

function gateFault(gate: string, value: string): Verdict | undefined {
  const meant = MISPRINTED_GATES[gate];
  if (!gates.has(gate)) {
    return {
      what: `has the feature gate '${gate}', which it does not know: it does not start`,
      wayOut: meant
        ? `write ${meant}, as the program calls it`
        : 'write one that it knows, or name the version that knows it',
      value: gate,
    };
  }
  return /^(true|false)$/.test(value)
    ? undefined
    : { what: `has the feature gate ${gate} with '${value}'`, wayOut: 'write true or false', value };
}

/** What the controller is told by flag. */
export const FLAG_RULES: readonly InstallationRule[] = [
  installationError(
    'unknown-flag',
    'the controller knows its flags; with another one it does not start',
    'pkg/config/controller_config.go',
    ({ deployment }, { isKnownVersion }) =>
      Object.keys(flagsOf(deployment))
        .filter((flag) => isKnownVersion && !known.has(flag))
        .map((flag) => ({
          what: `has the flag --${flag}, which it does not know: it does not start`,
          wayOut: 'write one that it knows, or name the version that knows it',
          value: flag,
        })),
  ),
  installationError('flag-twice', 'each flag stands once', 'pkg/config/controller_config.go', ({ deployment }) => {
    const said = ((containerOf(deployment).args ?? []) as unknown[]).map((arg) => String(arg).split('=')[0]);
    return [...new Set(said.filter((flag, i) => said.indexOf(flag) !== i))].map((flag) => ({
      what: `has the flag ${flag} twice, and the last one counts`,
      wayOut: `say it once: ${propFor(flag)}`,
      value: flag,
    }));
  }),
  installationError(
    'fixed-flag',
    'ports, certificates and the lease are what the rest of the installation takes them for',
    RUNTIME,
    ({ deployment }) =>
      fixed
        .filter((flag) => flagsOf(deployment)[flag] !== undefined)
        .map((flag) => ({
          what: `has the flag --${flag}, on which probes, Services, certificates or permissions depend`,
          wayOut: 'leave it out',
          value: flag,
        })),
  ),
  installationError(
    'unknown-feature-gate',
    'the controller knows its feature gates; with another one it does not start',
    FEATURE_GATES_FILE,
    ({ deployment }, { isKnownVersion }) =>
      Object.entries(gatesIn(deployment)).flatMap(([gate, value]) => {
        const verdict = isKnownVersion || gates.has(gate) ? gateFault(gate, value) : undefined;
        return verdict ? [verdict] : [];
      }),
  ),
  installationError(
    'gate-without-effect',
    'Global Accelerator is wanted where AWS has it',
    'pkg/aga/utils.go',
    ({ deployment }) => {
      const region = flagsOf(deployment)['aws-region'] ?? '';
      return gatesIn(deployment).GlobalAcceleratorController === 'true' &&
        WITHOUT_GLOBAL_ACCELERATOR.some((prefix) => region.startsWith(prefix))
        ? {
            what: `has the feature gate GlobalAcceleratorController, which it ignores in region '${region}'`,
            wayOut: 'leave it out',
            value: region,
          }
        : undefined;
    },
  ),
  installationError(
    'served-class',
    'the class that the controller serves is one that a Service can have',
    'pkg/config/service_config.go',
    ({ deployment }) => {
      const said = flagsOf(deployment)['load-balancer-class'];
      const fault = said === undefined ? undefined : labelKeyFault(said);
      return fault
        ? { what: `serves a class that is none: ${fault}`, wayOut: 'write it like example.com/nlb', value: said }
        : undefined;
    },
  ),
  installationError(
    'watched-namespace',
    'the namespace that the controller looks at is one',
    RUNTIME,
    ({ deployment }) => {
      const said = flagsOf(deployment)['watch-namespace'];
      const fault = said === undefined ? undefined : dnsLabelFault(said);
      return fault
        ? {
            what: `looks at a namespace that is none: ${fault}`,
            wayOut: 'name one, or leave it out for all',
            value: said,
          }
        : undefined;
    },
  ),
];

function propFor(text: string): string {
  const prop = FLAGS.find(({ flag }) => `--${flag}` === text)?.prop;
  return prop ? `by the prop ${prop}` : 'in additionalFlags';
}
