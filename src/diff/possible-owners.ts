import { type EditedValue, isWorse, type Outcome } from '../contract/edit';
import { sameValue } from '../contract/json';
import type { MadeBalancer } from '../contract/made-balancer';
import { LoadBalancerWish } from '../contract/options';
import {
  type ControllerDefinition,
  type ControllerVersion,
  neededToMake,
  type ServiceField,
} from '../rules/controller-definition';
import { editOfField } from '../rules/edits-of-values';
import { possibleClaimants, possibleOwners } from '../rules/known-kinds';
import { portsOf } from '../rules/service-json';
import { type Consequence, consequenceOf, type Effect, effectAt } from './effect';
import type { LivePair } from './pairs';
import { installedOf, kindOf, type SideBalancer } from './side';

/** A kind of controller that may read a Service, in the version that each side has of it where that is known. */
export interface PossibleOwner {
  readonly kind: ControllerDefinition;
  readonly before?: ControllerVersion;
  readonly after?: ControllerVersion;
}

/** Who reads a Service on two sides, of all controllers that run if these are known. */
export class PossibleOwners {
  private readonly own: readonly PossibleOwner[];
  private possible?: readonly PossibleOwner[];

  private readonly before: SideBalancer;
  private readonly after: SideBalancer;
  private readonly installed?: readonly string[];

  public constructor({ before, after, sides }: LivePair) {
    this.before = before;
    this.after = after;
    this.installed = sides.after.controllers;
    const kinds = new Set([after, before].flatMap((one) => kindOf(one) ?? []));
    this.own = [...kinds].map((kind) => ({ kind, before: versionOf(kind, before), after: versionOf(kind, after) }));
  }

  public get kind(): ControllerDefinition | undefined {
    return this.own[0]?.kind;
  }

  /** What must be known of the owner; nothing where it is known what it reads. */
  public get needs(): readonly string[] | undefined {
    const { owner, unowned } = this.after;
    if (this.own.length > 0) {
      return undefined;
    }
    return [
      owner === undefined ? (unowned ?? 'which controller owns the balancer') : `what ${owner} makes of the change`,
    ];
  }

  /**
   * What those who may read a Service make of a change of it; nothing where none of them reads it.
   *
   * @param ask what one of them makes of it; nothing where it does not read it
   * @param otherwise what is true of it whoever reads it
   */
  public worst(
    ask: (reader: PossibleOwner) => Consequence | undefined,
    otherwise?: Consequence,
  ): Consequence | undefined {
    const own = this.own.map(ask).reduce(worse, undefined);
    if (this.own.length > 0) {
      return this.after.guess === undefined ? own : this.orUnknown(own, this.possibly().map(ask));
    }
    const all = [otherwise, ...this.possibly().map(ask)];
    const worst = all.reduce(worse, undefined);
    return all.every((consequence) => effectOf(consequence) === effectOf(worst)) ? worst : this.undecided(worst);
  }

  /**
   * What the edit of a field of the Service does.
   *
   * @param adapt what is made of what a table says
   */
  public ofField(
    field: ServiceField,
    edited: Omit<EditedValue, 'objects'>,
    adapt = (consequence: Consequence) => consequence,
  ): Consequence {
    const value = { ...edited, objects: this.objects };
    const general = adapt(consequenceOf(editOfField(field, value)));
    return this.worst(({ kind }) => adapt(consequenceOf(editOfField(field, value, kind))), general) ?? general;
  }

  /** What is kept may not be, where the owner is a guess and another one would say otherwise. */
  private orUnknown(
    consequence: Consequence | undefined,
    others: readonly (Consequence | undefined)[],
  ): Consequence | undefined {
    const isKept = consequence === undefined || consequence.outcome === 'kept';
    const worst = others.reduce(worse, consequence);
    return isKept && worst !== undefined && worst.outcome !== 'kept' ? this.undecided(worst) : consequence;
  }

  private undecided(worst: Consequence | undefined): Consequence | undefined {
    const { guess, otherOwner } = this.after;
    const needs = this.needs ?? [guess ?? 'which controller owns the balancer'];
    const unless = this.own.map(({ kind }) => `, unless it is ${kind.name}`).join('');
    const why =
      otherOwner === undefined ? `depends on the controller: ${worst?.why}${unless}` : `depends on ${otherOwner}`;
    return worst && { outcome: 'unknown', why, needs };
  }

  private possibly(): readonly PossibleOwner[] {
    if (this.possible) {
      return this.possible;
    }
    const { service, guess, otherOwner } = this.after;
    // a webhook that may be on is one of the ways in which a controller may be installed
    const kinds = guess === undefined ? possibleClaimants(service).map(({ kind }) => kind) : possibleOwners(service);
    // an owner without rules may do what any controller does
    const isPossible = ({ name }: ControllerDefinition) =>
      otherOwner !== undefined || this.installed?.includes(name) !== false;
    this.possible = kinds.filter(isPossible).map((kind) => ({ kind }));
    return this.possible;
  }

  public get objects(): EditedValue['objects'] {
    return { before: this.before.service, after: this.after.service };
  }
}

function effectOf(consequence: Consequence | undefined): Outcome {
  return consequence?.outcome ?? 'kept';
}

function worse(worst: Consequence | undefined, consequence: Consequence | undefined): Consequence | undefined {
  return worst === undefined || (consequence !== undefined && isWorse(consequence, worst)) ? consequence : worst;
}

function versionOf(kind: ControllerDefinition, balancer: SideBalancer): ControllerVersion | undefined {
  const installed = kindOf(balancer) === kind ? installedOf(balancer) : undefined;
  return installed && kind.versionOf?.(installed);
}

interface Aspect {
  readonly words: string;
  /** @param ports the ports that both sides have */
  of(made: MadeBalancer, ports: readonly string[]): unknown;
  /** Whether effects that are known already speak of it. */
  isCovered(effects: readonly Effect[], readers: PossibleOwners): boolean;
}

const anyEffect = (effects: readonly Effect[]) =>
  effects.some(({ outcome, staysAsMade }) => outcome !== 'kept' || staysAsMade);

const ASPECTS: readonly Aspect[] = [
  {
    words: 'who can reach it',
    of: ({ scheme }) => scheme,
    isCovered: (effects, { kind }) =>
      effects.some(
        ({ field, outcome }) =>
          outcome === 'replaced' || kind?.catalogue.find(field)?.fact.wish === LoadBalancerWish.SCHEME,
      ),
  },
  { words: 'the kind of balancer', of: ({ product }) => product, isCovered: anyEffect },
  { words: 'what connections arrive at', of: ({ target }) => target, isCovered: anyEffect },
  {
    words: 'how pods see clients',
    of: ({ clientAddress, clientAddressOfPorts }, ports) =>
      ports.map((port) => clientAddressOfPorts?.[port] ?? clientAddress),
    isCovered: anyEffect,
  },
  { words: 'which nodes serve', of: ({ nodeLabels }) => nodeLabels, isCovered: anyEffect },
  { words: 'the balancer that it shares', of: ({ sharedBy }) => sharedBy, isCovered: anyEffect },
  { words: 'the address that it shares', of: ({ addressSharedBy }) => addressSharedBy, isCovered: anyEffect },
];

/**
 * What the owner would make of both sides is not the same, and no field that changes says what becomes of the live balancer.
 *
 * @param effects what is known already
 */
export function modelEffects(
  { before, after }: LivePair,
  readers: PossibleOwners,
  effects: readonly Effect[],
): Effect[] {
  const { made: old } = before;
  const { made: now, controller } = after;
  if (old === now || readers.kind === undefined || before.owner !== after.owner) {
    return [];
  }
  if (old === undefined || now === undefined) {
    const needs = controller ? [neededToMake(controller)] : [];
    const why = 'what is made of it is known on one side alone';
    return anyEffect(effects) ? [] : [effectAt({ field: 'spec', path: ['spec'] }, { outcome: 'unknown', why, needs })];
  }
  const numbers = portsIn(before);
  const ports = portsIn(after).filter((port) => numbers.includes(port));
  return ASPECTS.filter(
    (aspect) => !sameValue(aspect.of(old, ports), aspect.of(now, ports)) && !aspect.isCovered(effects, readers),
  ).map((aspect) =>
    effectAt(
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
