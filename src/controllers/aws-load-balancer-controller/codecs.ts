import { isIPv6 } from 'node:net';
import { type Codec, codec, integer, text } from '../../contract/annotation-codec';
import { escapedPairs } from '../../contract/annotation-codecs-lists';
import { TRAFFIC_PORT } from '../aws/annotations';

// The syntaxes of values that only this controller has.

const PORT_OF_SERVICE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A port of the Service. */
export const portOfService = text({ says: 'the name or number of a port of the Service', matches: PORT_OF_SERVICE });

/** What AWS has an id for and people a name. */
export const idOrName = text({ says: 'an id or the value of a Name tag', matches: /^[^\s,](?:[^,]*[^\s,])?$/ });

/** Ids and ARNs, by how they begin. */
export const startingWith = (prefix: string, says: string) =>
  text({ says: `${says} like ${prefix}…`, matches: new RegExp(`^${prefix}[^\\s,]+$`) });

/** A prefix for IPv6 source NAT. */
export const natPrefix = codec<string>('auto_assigned or an IPv6 range of length 80', String, (value) =>
  value === 'auto_assigned' || (value.endsWith('/80') && isIPv6(value.slice(0, -3)))
    ? { value }
    : { fault: `'${value}' is neither auto_assigned nor an IPv6 range of length 80` },
);

/** Capacity units, the one key of a map. */
export function capacity(): Codec<number> {
  const units = integer(0);
  const says = `CapacityUnits=${units.says}`;
  return codec(
    says,
    (value) => `CapacityUnits=${value}`,
    (whole) => {
      const read = escapedPairs(says).decode(whole);
      const { CapacityUnits, ...others } = 'value' in read ? read.value : ({} as Record<string, string>);
      return CapacityUnits === undefined || Object.keys(others).length > 0
        ? { fault: `'${whole}' is not ${says}` }
        : units.decode(CapacityUnits);
    },
  );
}

/** A number, the name of a port of the Service, or the port of the traffic. */
export function healthCheckPort(): Codec<string> {
  const says = `a port number, the name of a port of the Service, or ${TRAFFIC_PORT}`;
  return codec<string>(says, String, (value) => {
    const ok = /^\d+$/.test(value) ? Number(value) >= 1 && Number(value) <= 65535 : PORT_OF_SERVICE.test(value);
    return ok ? { value } : { fault: `'${value}' is not ${says}` };
  });
}
