import { isIP } from 'node:net';
import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { BGP_LIMITS, METALLB_PEER, metalLbFile, PARSED_BY } from './metal-lb-kinds.facts';
import { isWhole, type MetalLbRule, twiceIn } from './metal-lb-rule';

const kinds = [METALLB_PEER];
const TYPES = metalLbFile('api/v1beta2/bgppeer_types.go');

/** The seconds of a duration as we and Go write it. */
function secondsOf(duration: unknown): number | undefined {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(String(duration));
  return match ? Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0) : undefined;
}

function oneOf(spec: Json, one: string, other: string): Finding | undefined {
  const said = [one, other].filter((field) => spec[field] !== undefined);
  return said.length === 1
    ? undefined
    : {
        what: `the peer has ${said.length === 0 ? 'neither' : 'both'} ${one} ${said.length === 0 ? 'nor' : 'and'} ${other}`,
        remedy: 'write one of them',
      };
}

/** What MetalLB would refuse of routers. */
export const PEER_RULES: readonly MetalLbRule[] = [
  {
    id: 'peer-asn',
    severity: 'error',
    reach: 'chart',
    kinds,
    says: 'A peer has the number of the own autonomous system, and that of the router or on which side it is.',
    source: PARSED_BY,
    judge({ spec = {} }) {
      const numbers = ['myASN', 'peerASN', 'localASN'].filter(
        (field) => (field === 'myASN' || spec[field] !== undefined) && !isWhole(spec[field], 1, BGP_LIMITS.asn),
      );
      const wrong = numbers.map((field) => ({
        what: `${field} is ${spec[field]}`,
        remedy: `write a number from 1 to ${BGP_LIMITS.asn}`,
        value: String(spec[field]),
      }));
      return [...wrong, oneOf(spec, 'peerASN', 'dynamicASN') ?? []].flat();
    },
  },
  {
    id: 'peer-address',
    severity: 'error',
    reach: 'chart',
    kinds,
    says: 'A peer has an address, or the interface that it is behind.',
    source: PARSED_BY,
    judge({ spec = {} }) {
      const addresses = ['peerAddress', 'sourceAddress', 'routerID'].filter(
        (field) => spec[field] !== undefined && !isIP(String(spec[field])),
      );
      const wrong = addresses.map((field) => ({
        what: `${field} '${spec[field]}' is no IP address`,
        remedy: 'write an address, not a name',
        value: String(spec[field]),
      }));
      return [...wrong, oneOf(spec, 'peerAddress', 'interface') ?? []].flat();
    },
  },
  {
    id: 'peer-port',
    severity: 'error',
    reach: 'chart',
    kinds,
    says: `The port of a peer is at most ${BGP_LIMITS.port}.`,
    source: TYPES,
    judge: ({ spec: { peerPort } = {} as Json }) =>
      peerPort === undefined || isWhole(peerPort, 1, BGP_LIMITS.port)
        ? undefined
        : {
            what: `peerPort is ${peerPort}`,
            remedy: `write a number from 1 to ${BGP_LIMITS.port}`,
            value: String(peerPort),
          },
  },
  {
    id: 'peer-timers',
    severity: 'error',
    reach: 'chart',
    kinds,
    says: 'Sessions are held for nothing or 3 seconds and more, and kept alive more often than that.',
    source: PARSED_BY,
    judge({ spec: { connectTime, holdTime, keepaliveTime } = {} as Json }) {
      const keep = secondsOf(keepaliveTime ?? '');
      const hold = holdTime === undefined ? (keep ?? 0) * 3 : secondsOf(holdTime);
      const connect = secondsOf(connectTime ?? '');
      const faults: Finding[] = [];
      if (hold !== undefined && hold > 0 && hold < BGP_LIMITS.holdSeconds) {
        faults.push({
          what: `the session is held for ${hold} seconds`,
          remedy: `write 0, or ${BGP_LIMITS.holdSeconds} and more`,
        });
      }
      if (holdTime !== undefined && hold !== undefined && keep !== undefined && keep > hold) {
        faults.push({
          what: `keepaliveTime is ${keep} seconds, and holdTime ${hold}`,
          remedy: 'write a third of holdTime',
        });
      }
      if (connectTime !== undefined && (connect === undefined || !isWhole(connect, 1, BGP_LIMITS.connectSeconds))) {
        faults.push({
          what: `connectTime is ${connectTime}`,
          remedy: `write 1 to ${BGP_LIMITS.connectSeconds} seconds`,
        });
      }
      return faults;
    },
  },
  {
    id: 'peer-multi-hop',
    severity: 'error',
    reach: 'chart',
    kinds,
    says: 'Only routers of another autonomous system are several hops away.',
    source: PARSED_BY,
    judge: ({ spec: { ebgpMultiHop, myASN, peerASN } = {} as Json }) =>
      ebgpMultiHop === true && myASN === peerASN
        ? { what: `ebgpMultiHop is set, and both sides are ${myASN}`, remedy: 'leave it out' }
        : undefined,
  },
  {
    id: 'peer-password',
    severity: 'warning',
    reach: 'chart',
    kinds,
    says: 'A password stands in a Secret of the namespace of MetalLB, not in the object.',
    source: PARSED_BY,
    judge: ({ spec: { password } = {} as Json }) =>
      password
        ? {
            what: 'the password stands in the object, where all who may look at peers read it',
            remedy: 'use passwordSecret',
          }
        : undefined,
  },
  {
    id: 'peer-twice',
    severity: 'error',
    reach: 'chart',
    kinds,
    says: 'No peer stands twice, and its selectors do not either.',
    source: PARSED_BY,
    judge({ metadata = {}, spec = {} }, neighbours) {
      const twice = twiceIn(spec.nodeSelectors ?? []);
      if (twice !== undefined) {
        return { what: `nodeSelectors has '${twice}' twice`, remedy: 'name it once', value: twice };
      }
      const same = neighbours.find(
        ({ isEarlier, json }) =>
          isEarlier &&
          json.kind === METALLB_PEER &&
          json.metadata?.namespace === metadata.namespace &&
          JSON.stringify(json.spec) === JSON.stringify(spec),
      );
      return same
        ? { what: `peer '${same.json.metadata?.name}' says the same`, remedy: 'leave one of them out' }
        : undefined;
    },
  },
];
