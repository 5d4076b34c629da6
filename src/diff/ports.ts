import { isSet, type Json, sameValue } from '../contract/json';
import type { Writer } from '../lifecycle/scenario';
import type { ServiceField } from '../rules/controller-definition';
import { portsOf } from '../rules/service-json';
import { type Consequence, type Effect, effectAt, fieldAt, withRemedy } from './effect';
import type { LivePair } from './pairs';
import type { PossibleOwners } from './possible-owners';

interface PortsAmong {
  readonly readers: PossibleOwners;
  /** How the newer side is applied, where that is known. */
  readonly writer?: Writer;
}

export function portEffects({ before, after, sides }: LivePair, readers: PossibleOwners): Effect[] {
  const among = { readers, writer: sides.options.writer };
  const [old, now] = [portsOf(before.service), portsOf(after.service)];
  if (sameValue(old, now)) {
    return [];
  }
  const pairs = matchedPorts(old, now);
  const come = new Set(now.map(({ port }) => port));
  return pairs.flatMap((pair) =>
    pair.before && pair.after
      ? changed(pair.before, pair.after, among)
      : [
          pair.before
            ? removed(pair.before, come.has(pair.before.port.port), among)
            : added(pair.after as PortAt, among),
        ],
  );
}

function consequenceOfPortField(
  field: ServiceField,
  { readers }: PortsAmong,
  before: Json = {},
  after: Json = {},
): Consequence {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return readers.ofField(field, { before: before[name], after: after[name], around: { before, after } });
}

function clientsOf({ port }: PortAt): string {
  const protocol = protocolOf(port);
  return `clients of port ${port.port}${protocol === 'TCP' ? '' : `/${protocol}`}`;
}

function removed(at: PortAt, isTaken: boolean, among: PortsAmong): Effect {
  const path = ['spec', 'ports', at.index];
  const consequence = consequenceOfPortField('spec.ports[].port', among, at.port);
  const why = isTaken
    ? 'the port is gone in this protocol, and its clients are refused'
    : `the port is gone: ${consequence.why}`;
  const remedy = 'keep the port until no client uses it';
  return effectAt(
    { field: fieldAt(path), path, from: portInWords(at.port) },
    { ...consequence, why, whom: clientsOf(at), lasts: 'for good', remedy },
  );
}

function added(at: PortAt, among: PortsAmong): Effect {
  const path = ['spec', 'ports', at.index];
  return effectAt(
    { field: fieldAt(path), path, to: portInWords(at.port) },
    withRemedy(consequenceOfPortField('spec.ports[]', among, undefined, at.port)),
  );
}

function portInWords(port: Json): string {
  return `${nameOf(port) ? `${nameOf(port)} ` : ''}${port.port}/${protocolOf(port)}`;
}

function changed(before: PortAt, after: PortAt, among: PortsAmong): Effect[] {
  const [old, now] = [before.port, after.port];
  const effects: Effect[] = [];
  const add = (name: string, from: unknown, to: unknown, consequence: Consequence) => {
    const path = ['spec', 'ports', after.index, name];
    const whom = consequence.outcome === 'kept' || consequence.outcome === 'refused' ? {} : { whom: clientsOf(before) };
    const place = {
      field: fieldAt(path),
      path,
      ...(before.index !== after.index && { pathBefore: ['spec', 'ports', before.index, name] }),
    };
    effects.push(effectAt({ ...place, from, to }, withRemedy({ ...whom, ...consequence })));
  };
  if (old.port !== now.port) {
    // many owners balance one protocol alone
    const beside =
      protocolOf(old) === protocolOf(now)
        ? 'add the new port beside'
        : 'make a second Service with the new port beside';
    const remedy = `${beside} the old one, and take the old one out when no client uses it`;
    add('port', old.port, now.port, {
      ...consequenceOfPortField('spec.ports[].port', among, old, now),
      lasts: 'for good',
      remedy,
    });
  }
  if (protocolOf(old) !== protocolOf(now)) {
    add('protocol', protocolOf(old), protocolOf(now), consequenceOfPortField('spec.ports[].protocol', among, old, now));
  }
  if (nameOf(old) !== nameOf(now)) {
    add('name', old.name, now.name, renamed(old, now, among));
  }
  if (targetOf(old) !== targetOf(now) && (isSet(old.targetPort) || isSet(now.targetPort))) {
    add('targetPort', targetOf(old), targetOf(now), consequenceOfPortField('spec.ports[].targetPort', among, old, now));
  }
  const nodePort = nodePortConsequence(old, now, among);
  if (nodePort) {
    add('nodePort', old.nodePort, now.nodePort, nodePort);
  }
  if (!sameValue(old.appProtocol || undefined, now.appProtocol || undefined)) {
    add(
      'appProtocol',
      old.appProtocol,
      now.appProtocol,
      consequenceOfPortField('spec.ports[].appProtocol', among, old, now),
    );
  }
  return effects;
}

function targetOf({ port, targetPort }: Json): unknown {
  return !isSet(targetPort) || targetPort === 0 || targetPort === '' ? port : targetPort;
}

/** A port that is renamed may get another node port: what that does is for the owner to say. */
function renamed(old: Json, now: Json, among: PortsAmong): Consequence {
  const moved = consequenceOfPortField('spec.ports[].nodePort', among, old, now);
  if (moved.outcome === 'kept' || (isSet(now.nodePort) && old.nodePort === now.nodePort)) {
    return { outcome: 'kept', why: 'the name is for annotations and other objects alone', source: moved.source };
  }
  const name = consequenceOfPortField('spec.ports[].name', among, old, now);
  return among.writer === undefined || KEEPING_NODE_PORTS.has(among.writer)
    ? { ...name, outcome: 'kept', why: 'applied, the port keeps its node port under another name' }
    : {
        ...moved,
        why: `the port gets another node port: ${moved.why}`,
        remedy: 'write the node port beside the new name',
      };
}

/** Those that know a port by its number: what they do not write of it stays. */
const KEEPING_NODE_PORTS: ReadonlySet<Writer> = new Set(['client-apply', 'server-apply']);

function nodePortConsequence(old: Json, now: Json, among: PortsAmong): Consequence | undefined {
  const [one, other] = [old.nodePort || undefined, now.nodePort || undefined];
  if (other === undefined || one === other) {
    return undefined;
  }
  const consequence = consequenceOfPortField('spec.ports[].nodePort', among, old, now);
  return one !== undefined || consequence.outcome === 'kept'
    ? consequence
    : {
        outcome: 'unknown',
        why: `${consequence.why}, unless it is the one that the API server has chosen already`,
        needs: ['the node port of the live Service'],
        source: consequence.source,
        remedy: 'write the node port that the live Service has',
      };
}

interface PortAt {
  readonly port: Json;
  readonly index: number;
}

interface PortPair {
  readonly before?: PortAt;
  readonly after?: PortAt;
}

/** The ports of two sides, each with itself: by number and protocol, as apply knows and clients use it, and those that are left by name. */
function matchedPorts(before: readonly Json[], after: readonly Json[]): PortPair[] {
  const left = after.map((port, index): PortAt => ({ port, index }));
  const take = (isSame: (port: Json) => boolean): PortAt | undefined => {
    const at = left.findIndex(({ port }) => isSame(port));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const old = before.map((port, index): PortAt => ({ port, index }));
  const numbered = old.map((one) => take((port) => numberOf(port) === numberOf(one.port)));
  const pairs = old.map(
    (one, i): PortPair => ({
      before: one,
      after: numbered[i] ?? take((port) => nameOf(port) === nameOf(one.port)),
    }),
  );
  return [...pairs, ...left.map((one): PortPair => ({ after: one }))];
}

function nameOf({ name }: Json): string {
  return typeof name === 'string' ? name : '';
}

function protocolOf({ protocol }: Json): string {
  return typeof protocol === 'string' && protocol !== '' ? protocol : 'TCP';
}

function numberOf(port: Json): string {
  return `${port.port}/${protocolOf(port)}`;
}
