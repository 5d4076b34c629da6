import type { Duration } from 'cdk8s';
import { type Codec, codec, duration, exactFlag, list, text } from '../../contract/annotation-codec';
import { plainPairs } from '../../contract/annotation-codecs-lists';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { HealthCheckProtocol } from '../../contract/options';
import type { AwsCloudProviderTargetGroupAttributes } from './options';

// The syntaxes of values that only this controller has.

const PRESERVE_CLIENT_IP = 'preserve_client_ip.enabled';
const PROXY_PROTOCOL_V2 = 'proxy_protocol_v2.enabled';

export function targetGroupAttributes(): Codec<AwsCloudProviderTargetGroupAttributes> {
  const says = `${PRESERVE_CLIENT_IP} and ${PROXY_PROTOCOL_V2}, each true or false, such as ${PRESERVE_CLIENT_IP}=true`;
  const pairs = plainPairs(says);
  const truth = exactFlag();
  return codec<AwsCloudProviderTargetGroupAttributes>(
    says,
    [{ preserveClientIp: true, proxyProtocolV2: false }],
    ({ preserveClientIp, proxyProtocolV2 }) =>
      [
        ...(preserveClientIp === undefined ? [] : [`${PRESERVE_CLIENT_IP}=${preserveClientIp}`]),
        ...(proxyProtocolV2 === undefined ? [] : [`${PROXY_PROTOCOL_V2}=${proxyProtocolV2}`]),
      ].join(','),
    (whole) => {
      const map = pairs.decode(whole);
      if ('fault' in map) {
        return map;
      }
      const attributes: { preserveClientIp?: boolean; proxyProtocolV2?: boolean } = {};
      for (const [key, value] of Object.entries(map.value)) {
        const read = truth.decode(value);
        if ('fault' in read || (key !== PRESERVE_CLIENT_IP && key !== PROXY_PROTOCOL_V2)) {
          return { fault: `'${key}=${value}' is not ${says}` };
        }
        attributes[key === PRESERVE_CLIENT_IP ? 'preserveClientIp' : 'proxyProtocolV2'] = read.value;
      }
      return { value: attributes };
    },
  );
}

/** Any text means internal. Old manifests have `0.0.0.0/0`; a text that denies it is reported. */
export function internal(): Codec<boolean> {
  const says = 'exactly true or false';
  return codec(
    says,
    [true, false],
    (value) => {
      if (typeof value !== 'boolean') {
        throw new Error(`'${value}' is not ${says}`);
      }
      return String(value);
    },
    (word) =>
      /^(no?|off|f|0|false)$/i.test(word) && word !== 'false'
        ? { fault: `'${word}' is not exactly 'false'` }
        : { value: word !== 'false' && word !== '' },
  );
}

export function emitInterval(): Codec<Duration> {
  const says = '5 or 60 minutes';
  const minutes = duration('minutes', 5, 60);
  return codec(
    says,
    minutes.examples,
    (value) => minutes.encode(value),
    (word) => (word === '5' || word === '60' ? minutes.decode(word) : { fault: `'${word}' is not ${says}` }),
  );
}

/** A protocol of checks that only a Classic Load Balancer has: manifests may name it, and no wish asks for it. */
export const SSL_CHECK = 'ssl' as HealthCheckProtocol;

/**
 * Written in capitals: a Classic Load Balancer gets the text as it is, and the API names its protocols in capitals.
 * Read in any case, as for a Network Load Balancer.
 */
export function healthCheckProtocol(): Codec<HealthCheckProtocol> {
  const known = [...Object.values(HealthCheckProtocol), SSL_CHECK];
  const says = `one of ${known.map((protocol) => protocol.toUpperCase()).join(', ')}`;
  const find = (word: unknown) => known.find((protocol) => protocol === word);
  return codec(
    says,
    known,
    (value) => {
      const protocol = find(value);
      if (protocol === undefined) {
        throw new Error(`'${value}' is not ${says}`);
      }
      return protocol.toUpperCase();
    },
    (word) => {
      const value = find(word.toLowerCase());
      return value === undefined ? { fault: `'${word}' is not ${says}` } : { value };
    },
  );
}

/** Labels of nodes, without a way to write a comma or a second equals sign. */
export const targetNodeLabels = () =>
  plainPairs(
    'node labels as key=value, several separated by commas',
    (key, value) => labelKeyFault(key) ?? labelValueFault(value),
  );

/** Ports with TLS: a blank is read as part of a name. */
export function tlsPorts(): Codec<string[]> {
  const ports = list(
    text({ says: "a port by number or name, or '*'", matches: /^(\*|[A-Za-z0-9-]+)$/, example: '443' }),
  );
  return codec(
    ports.says,
    ports.examples,
    (value) => ports.encode(value),
    (whole) =>
      /\s/.test(whole) ? { fault: `'${whole}' has a blank, which is read as part of a name` } : ports.decode(whole),
  );
}
