import { list } from '../../contract/json';
import type { Finding } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import { FlagTable, KnownNames } from '../flags';
import { FEATURE_GATES, FEATURE_GATES_FILE, FLAGS, KNOWN_VERSION, MISPRINTED_GATES } from './installation.facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';
import { containerOf, flagsOf, gatesIn } from './rules';

const FLAGS_FILE = 'pkg/config/controller_config.go';

const TABLE = new FlagTable(FLAGS);
const GATES = new KnownNames(
  FEATURE_GATES.map(({ gate, since }) => [gate, since]),
  '',
  MISPRINTED_GATES,
);

export const FLAG_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'unknown-flag',
    'flag that the controller does not know: it does not start',
    FLAGS_FILE,
    (deployment, context) => TABLE.unknown(Object.keys(flagsOf(deployment)), context),
    ['isKnownVersion', 'version'],
  ),
  installationWarning(
    'newer-than-facts',
    'flag or feature gate that only a newer version than the facts of this library may know',
    FLAGS_FILE,
    (deployment, { isKnownVersion, version = '' }) => {
      const flags = Object.keys(flagsOf(deployment)).filter((flag) => TABLE.names.mayBeNew(flag));
      const gates = Object.keys(gatesIn(deployment)).filter((gate) => GATES.mayBeNew(gate));
      const news = [...flags.map((flag) => [`flag --${flag}`, flag]), ...gates.map((gate) => [`gate ${gate}`, gate])];
      return isKnownVersion
        ? undefined
        : news.map(([what, value]) => ({
            what: `is installed as version ${version} with the ${what}, which ${KNOWN_VERSION} has not: where ${version} has not either, it does not start`,
            remedy: `look it up in the documentation of ${version}, and acknowledge this if it is documented there`,
            value,
          }));
    },
    ['isKnownVersion', 'version'],
  ),
  installationError('flag-value', 'value of a flag that the controller cannot read', FLAGS_FILE, (deployment) =>
    TABLE.unreadable(flagsOf(deployment)),
  ),
  installationError('flag-twice', 'flag that is set twice', FLAGS_FILE, (deployment) =>
    TABLE.repeated(list(containerOf(deployment).args).map(String)),
  ),
  installationError(
    'fixed-flag',
    'flag whose default the rest of the installation depends on',
    'pkg/config/runtime_config.go',
    (deployment) => TABLE.fixed(flagsOf(deployment)),
  ),
  installationError(
    'unknown-feature-gate',
    'feature gate that the controller does not know: it does not start',
    FEATURE_GATES_FILE,
    (deployment, context) =>
      Object.entries(gatesIn(deployment)).flatMap(([gate, value]): Finding[] => {
        const fault = GATES.fault(gate, `feature gate ${gate}`, context);
        const isRead = !GATES.has(gate) || /^(true|false)$/.test(value);
        const unread = { what: `has the feature gate ${gate} with '${value}'`, remedy: 'write true or false', value };
        return fault ? [fault] : isRead ? [] : [unread];
      }),
    ['isKnownVersion', 'version'],
  ),
];
