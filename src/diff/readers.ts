import type { EditedValue } from '../contract/edit';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { possibleClaimants, possibleOwners } from '../rules/claimants';
import {
  type ControllerDefinition,
  type ControllerVersion,
  definitionOf,
  unwrapped,
} from '../rules/controller-definition';
import { editOfField } from '../rules/edits-of-values';
import type { ServiceField } from '../rules/service-edits.facts';
import type { Outcome } from './outcome';
import { isWorse, type Said, saidBy } from './said';
import type { SideBalancer } from './side';

/** A kind of controller that may read a Service, in the version that each side has of it where that is known. */
export interface Reader {
  readonly kind: ControllerDefinition;
  readonly before?: ControllerVersion;
  readonly after?: ControllerVersion;
}

/** Who reads a Service on two sides, of all controllers that run if these are known. */
export class Readers {
  private readonly own: readonly Reader[];
  private possible?: readonly Reader[];

  public constructor(
    private readonly before: SideBalancer,
    private readonly after: SideBalancer,
    private readonly installed?: readonly string[],
  ) {
    const kinds = new Set(
      [after, before].map(({ controller }) => kindOf(controller)).filter((kind) => kind !== undefined),
    );
    this.own = [...kinds].map((kind) => ({
      kind,
      before: versionOf(kind, before.controller),
      after: versionOf(kind, after.controller),
    }));
  }

  /** The kind of the owner, where it is known. */
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
  public say(ask: (reader: Reader) => Said | undefined, otherwise?: Said): Said | undefined {
    const own = this.own.map(ask).reduce(worse, undefined);
    if (this.own.length > 0) {
      return this.after.guess === undefined ? own : this.guessed(own, this.possibly().map(ask));
    }
    const all = [otherwise, ...this.possibly().map(ask)];
    const worst = all.reduce(worse, undefined);
    return all.every((said) => effectOf(said) === effectOf(worst)) ? worst : this.undecided(worst);
  }

  /**
   * What the edit of a field of the Service does.
   *
   * @param adapt what is made of what a table says
   */
  public field(field: ServiceField, edited: Omit<EditedValue, 'objects'>, adapt = (said: Said) => said): Said {
    const value = { ...edited, objects: this.objects };
    const general = adapt(saidBy(editOfField(field, value)));
    return this.say(({ kind }) => adapt(saidBy(editOfField(field, value, kind))), general) ?? general;
  }

  /** What is kept may not be, where the owner is a guess and another one would say otherwise. */
  private guessed(said: Said | undefined, others: readonly (Said | undefined)[]): Said | undefined {
    const isKept = said === undefined || said.outcome === 'kept';
    const worst = others.reduce(worse, said);
    return isKept && worst !== undefined && worst.outcome !== 'kept' ? this.undecided(worst) : said;
  }

  private undecided(worst: Said | undefined): Said | undefined {
    const { guess, otherOwner } = this.after;
    const needs = this.needs ?? [guess ?? 'which controller owns the balancer'];
    const why = otherOwner === undefined ? `depends on the controller: ${worst?.why}` : `depends on ${otherOwner}`;
    return worst && { outcome: 'unknown', why, needs };
  }

  private possibly(): readonly Reader[] {
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

  /** The Services that are read. */
  public get objects(): EditedValue['objects'] {
    return { before: this.before.service, after: this.after.service };
  }
}

/** What is not read changes nothing. */
function effectOf(said: Said | undefined): Outcome {
  return said?.outcome ?? 'kept';
}

function worse(worst: Said | undefined, said: Said | undefined): Said | undefined {
  return worst === undefined || (said !== undefined && isWorse(said, worst)) ? said : worst;
}

function kindOf(
  controller: ILoadBalancerController | ControllerDefinition | undefined,
): ControllerDefinition | undefined {
  return controller && ('bind' in controller ? definitionOf(controller) : controller);
}

function versionOf(
  kind: ControllerDefinition,
  controller: ILoadBalancerController | ControllerDefinition | undefined,
): ControllerVersion | undefined {
  return controller && 'bind' in controller && kindOf(controller) === kind
    ? kind.versionOf?.(unwrapped(controller))
    : undefined;
}
