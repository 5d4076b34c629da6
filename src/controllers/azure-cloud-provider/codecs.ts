import {
  address,
  anyCase,
  type Codec,
  codec,
  exactFlag,
  lenientCodec,
  list,
  text,
} from '../../contract/annotation-codec';
import { portFault } from '../../contract/kubernetes-syntax';
import { HealthCheckProtocol } from '../../contract/options';
// Syntax of values of the Azure cloud provider.

/** The value of the mode annotation that lets the controller choose the VM set. */
export const AUTOMATIC_VM_SET = '__auto__';

const trim = (value: string) => value.trim();

export const trimmed = <T>(inner: Codec<T>) => lenientCodec(inner, trim);

/** Only `true` in any case switches on; every other text means off. */
export const switchedOn = () => lenientCodec(exactFlag(), (text) => text.toLowerCase());

export const probeProtocol = () => trimmed(anyCase(Object.values(HealthCheckProtocol)));

/** The first label of the name of a public IP; the empty one removes it. */
export const dnsLabel = () =>
  codec<string>('a DNS label, or nothing to remove it', ['edge', ''], String, (read) =>
    /^([a-z]([a-z0-9-]{1,61}[a-z0-9]))?$/.test(read)
      ? { value: read }
      : { fault: `'${read}' is not a DNS label of Azure` },
  );

/** Comma-separated addresses; unlike elsewhere a blank makes one unreadable. */
export function addresses(): Codec<string[]> {
  const inner = list(address());
  return codec(
    'comma-separated IP addresses without blanks',
    inner.examples,
    (values) => inner.encode(values),
    (read) => (/\s/.test(read.trim()) ? { fault: `'${read}' holds blanks` } : inner.decode(read)),
  );
}

/** Values with blanks between them; more than one blank does not count. */
export function spaced(item: Codec<string>): Codec<string[]> {
  const inner = list(item, ' ');
  return codec(
    `${item.says}; several separated by blanks`,
    inner.examples,
    (values) => inner.encode(values),
    (read) => inner.decode(read.trim().replace(/ +/g, ' ')),
  );
}

export function subscriptions(all: boolean): Codec<string[]> {
  const inner = spaced(text({ says: 'a subscription ID', matches: all ? /^\S+$/ : /^[^\s*]+$/, example: 'a-b' }));
  return codec(
    all ? `${inner.says}, or * alone` : inner.says,
    all ? [...inner.examples, ['*']] : inner.examples,
    (values) => inner.encode(values),
    (read) => {
      const parts = read.trim().split(/ +/);
      return parts.length > 1 && parts.includes('*')
        ? { fault: `'${read}' means every subscription, whatever is beside the *` }
        : inner.decode(read);
    },
  );
}

/** `key=value` pairs; there is no escape, and a pair without exactly one equals sign is dropped in silence. */
export function tags(reserved?: RegExp): Codec<Record<string, string>> {
  const says = 'key=value pairs without further commas or equals signs';
  return codec<Record<string, string>>(
    says,
    [{ team: 'edge' }],
    (map) => {
      const odd = Object.entries(map).find((pair) => pair.some((part) => /[,=]/.test(String(part))));
      if (odd) {
        throw new Error(`'${odd.join('=')}' is not ${says}`);
      }
      return Object.entries(map)
        .map((pair) => pair.join('='))
        .join(',');
    },
    (read) => {
      const map: Record<string, string> = {};
      for (const pair of read.trim().split(',')) {
        const [key, value, more] = pair.split('=').map(trim);
        if (!key || value === undefined || more !== undefined) {
          return { fault: `'${pair}' is not ${says}` };
        }
        if (reserved?.test(key)) {
          return { fault: `tag '${key}' is reserved for Azure` };
        }
        map[key] = value;
      }
      return { value: map };
    },
  );
}

export const pipTags = () => tags(/^(aks-managed|k8s-azure|(service|cluster-name)$)/i);

/** One VM set. Lists were read until December 2020 (commit a2f2edaa). */
export function virtualMachineSet(): Codec<string> {
  const says = `the name of one VM set, or ${AUTOMATIC_VM_SET}`;
  return codec<string>(says, ['edge', AUTOMATIC_VM_SET], String, (read) => {
    const value = read.trim();
    if (value.toLowerCase() === AUTOMATIC_VM_SET) {
      return { value: AUTOMATIC_VM_SET };
    }
    if (value.includes(',')) {
      return { fault: `'${read}' is a list, which is taken for one name` };
    }
    return /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(value) ? { value } : { fault: `'${read}' is not ${says}` };
  });
}

export function probePort(): Codec<string> {
  const says = 'a port number, or the name of a port of the Service';
  return codec<string>(says, ['8080', 'http'], String, (read) => {
    const fault = /^\d+$/.test(read) ? portFault(Number(read)) : !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(read);
    return fault ? { fault: `'${read}' is not ${says}` } : { value: read };
  });
}
