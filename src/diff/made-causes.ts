import { LoadBalancerWish } from '../contract/load-balancer-wish';
import type { MadeBalancer } from '../contract/made-balancer';
import { sameValue } from '../contract/same-value';
import { neededToMake } from '../rules/made-of';
import { portsOf } from '../rules/service-json';
import type { Cause } from './balancer-change';
import type { Readers } from './readers';
import { causeOf } from './said';
import type { SideBalancer } from './side';

/** What of a balancer clients depend on. */
interface Aspect {
  readonly words: string;
  /** @param ports the ports that both sides have */
  of(made: MadeBalancer, ports: readonly string[]): unknown;
  /** Whether causes that are known already speak of it. */
  isTold(causes: readonly Cause[], readers: Readers): boolean;
}

const anyEffect = (causes: readonly Cause[]) =>
  causes.some(({ outcome, staysAsMade }) => outcome !== 'kept' || staysAsMade);

const ASPECTS: readonly Aspect[] = [
  {
    words: 'who can reach it',
    of: ({ scheme }) => scheme,
    isTold: (causes, { kind }) =>
      causes.some(
        ({ field, outcome }) =>
          outcome === 'replaced' || kind?.catalogue.find(field)?.fact.wish === LoadBalancerWish.SCHEME,
      ),
  },
  { words: 'the kind of balancer', of: ({ product }) => product, isTold: anyEffect },
  { words: 'what connections arrive at', of: ({ target }) => target, isTold: anyEffect },
  {
    words: 'how pods see clients',
    of: ({ clientAddress, clientAddressOfPorts }, ports) =>
      ports.map((port) => clientAddressOfPorts?.[port] ?? clientAddress),
    isTold: anyEffect,
  },
  { words: 'which nodes serve', of: ({ nodeLabels }) => nodeLabels, isTold: anyEffect },
  { words: 'the balancer that it shares', of: ({ sharedBy }) => sharedBy, isTold: anyEffect },
  { words: 'the address that it shares', of: ({ addressSharedBy }) => addressSharedBy, isTold: anyEffect },
];

/**
 * What the owner would make of both sides is not the same, and no field that changes says what becomes of the live balancer.
 *
 * @param causes what is known already
 */
export function madeCauses(
  before: SideBalancer,
  after: SideBalancer,
  readers: Readers,
  causes: readonly Cause[],
): Cause[] {
  const { made: old } = before;
  const { made: now, controller } = after;
  if (old === now || readers.kind === undefined || before.owner !== after.owner) {
    return [];
  }
  if (old === undefined || now === undefined) {
    const needs = controller ? [neededToMake(controller)] : [];
    const why = 'what is made of it is known on one side alone';
    return anyEffect(causes) ? [] : [causeOf({ field: 'spec', path: ['spec'] }, { outcome: 'unknown', why, needs })];
  }
  const numbers = portsIn(before);
  const ports = portsIn(after).filter((port) => numbers.includes(port));
  return ASPECTS.filter(
    (aspect) => !sameValue(aspect.of(old, ports), aspect.of(now, ports)) && !aspect.isTold(causes, readers),
  ).map((aspect) =>
    causeOf(
      { field: 'spec', path: ['spec'], from: aspect.of(old, ports), to: aspect.of(now, ports) },
      {
        outcome: 'unknown',
        why: `a new balancer would be another one: ${aspect.words} changes, by something beside the Service or by a default`,
        needs: ['what becomes of the live balancer'],
        source: now.source,
      },
    ),
  );
}

function portsIn({ service }: SideBalancer): string[] {
  return portsOf(service).map(({ port }) => String(port));
}
