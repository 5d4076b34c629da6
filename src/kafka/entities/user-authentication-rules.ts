import { reaches } from '../../contract/compare-versions';
import type { Said } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { at, isSaid, listenersOf, mapAt, shown, textAt } from '../document/kafka-json';
import { AUTHENTICATION } from '../strimzi/strimzi.facts';
import { CERTIFICATE_DAYS_SINCE, ENTITY_SOURCES, TLS_EXTERNAL } from './entities.facts';
import { besideKafka, type EntityContext, type EntityRule, refusal, surprise, wholeNumberFault } from './entity-rule';
import { secretNameOf } from './user-secret';

const { userSchema, userModel } = ENTITY_SOURCES;

/** The days of a certificate. */
const DAYS = ['validityDays', 'renewalDays'];

/** By the type of a user, that of the listeners that take it. */
const LISTENER_OF: Readonly<Record<string, string>> = {
  [AUTHENTICATION.tls]: AUTHENTICATION.tls,
  [TLS_EXTERNAL]: AUTHENTICATION.tls,
  [AUTHENTICATION.scramSha512]: AUTHENTICATION.scramSha512,
};

function daysVerdict(user: Json, { strimzi }: EntityContext): Said {
  const { type, validityDays, renewalDays } = mapAt(user, 'spec.authentication');
  const said = DAYS.filter((field) => isSaid(mapAt(user, 'spec.authentication')[field]));
  if (said.length === 0) {
    return undefined;
  }
  const where = said.map((field) => `spec.authentication.${field}`).join(' and ');
  if (!reaches(strimzi, CERTIFICATE_DAYS_SINCE)) {
    return {
      what: `Strimzi ${strimzi.version} has no ${where}`,
      remedy: `use Strimzi ${CERTIFICATE_DAYS_SINCE} or newer, or say the days in clientsCa of the Kafka resource for all users`,
    };
  }
  if (isSaid(type) && type !== AUTHENTICATION.tls) {
    return {
      what: `${where} cannot stand with authentication ${shown(type)}`,
      remedy: 'remove it, or use authentication tls',
    };
  }
  if (said.length === 1) {
    const [missing] = DAYS.filter((field) => !said.includes(field));
    return { what: `${where} cannot stand without ${missing}`, remedy: 'write both, or neither' };
  }
  const faults = said
    .map((field) => [field, wholeNumberFault(at(user, `spec.authentication.${field}`), 1)] as const)
    .filter(([, fault]) => fault !== undefined)
    .map(([field, fault]) => ({
      what: `spec.authentication.${field} ${fault}`,
      remedy: 'write such a number of days',
    }));
  return faults.length > 0 || renewalDays < validityDays
    ? faults
    : {
        what: `spec.authentication.renewalDays is ${renewalDays}, and validityDays is ${validityDays}: a certificate would be renewed before it is made`,
        remedy: 'write fewer renewalDays than validityDays',
        value: String(renewalDays),
      };
}

function passwordVerdict(user: Json): Finding | undefined {
  const { type, password } = mapAt(user, 'spec.authentication');
  if (!isSaid(password) || type !== AUTHENTICATION.scramSha512) {
    return undefined;
  }
  const missing = ['name', 'key'].filter((field) => !textAt(password, `valueFrom.secretKeyRef.${field}`));
  return missing.length === 0
    ? undefined
    : {
        what: `spec.authentication.password has no valueFrom.secretKeyRef.${missing.join(' and no ')}`,
        remedy: 'write name and key of the Secret with the password, or remove it for one that the operator makes',
      };
}

/** By which means the listeners of a cluster take clients. */
function typesOfListeners(kafka: Json): string[] {
  return listenersOf(kafka).map((listener) => textAt(listener, 'authentication.type') ?? 'none');
}

/** How users prove who they are. */
export const USER_AUTHENTICATION_RULES: readonly EntityRule[] = [
  refusal('user-certificate-days', 'the days of a certificate fit together', userSchema, daysVerdict),
  refusal('user-password', 'the password of a user stands in a key of a Secret', userModel, passwordVerdict),
  surprise('user-password-ignored', 'only a user with a password says where it stands', userModel, (user) => {
    const { type, password } = mapAt(user, 'spec.authentication');
    return !isSaid(password) || !isSaid(type) || type === AUTHENTICATION.scramSha512
      ? undefined
      : {
          what: `spec.authentication.password stands with authentication ${shown(type)}, and is ignored`,
          remedy: 'remove it, or use authentication scram-sha-512',
        };
  }),
  surprise(
    'user-password-own',
    'the password of a user does not stand in the Secret that the operator makes for it',
    userModel,
    besideKafka((user, kafka) => {
      const { type, password } = mapAt(user, 'spec.authentication');
      const secret = textAt(password, 'valueFrom.secretKeyRef.name');
      return type !== AUTHENTICATION.scramSha512 || secret !== secretNameOf(textAt(user, 'metadata.name') ?? '', kafka)
        ? undefined
        : {
            what: `the password stands in Secret ${secret}, which the operator overwrites with the user's own, and deletes with the user`,
            remedy: 'keep the password in a Secret of another name',
            value: secret,
          };
    }),
  ),
  surprise(
    'user-listener',
    'a listener of the cluster takes what the user has',
    userModel,
    besideKafka((user, kafka) => {
      const type = textAt(user, 'spec.authentication.type') ?? '';
      const needed = Object.hasOwn(LISTENER_OF, type) ? LISTENER_OF[type] : undefined;
      const types = typesOfListeners(kafka);
      return needed === undefined ||
        types.length === 0 ||
        types.includes(needed) ||
        types.includes(AUTHENTICATION.custom)
        ? undefined
        : {
            what: `the user has authentication ${type}, and no listener of the cluster takes it (${[...new Set(types)].join(', ')}), which nobody tells before its clients are refused`,
            remedy: `give a listener authentication ${needed}, or the user that of a listener`,
            value: type,
          };
    }),
  ),
];
