import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { defined, isMap, type Json, mapIn, objectIdOf, printable, valueBySteps } from '../../contract/json';
import { itemsOf, readKubernetesYaml, type YamlPath } from '../../contract/kubernetes-yaml';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { LoadBalancerOutcome } from '../../contract/options';
import { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { OwnershipState } from '../../controllers/options';
import type { ReportedService } from '../../predicted/predicted';
import { predictServices } from '../../predicted/predicted-services';
import { appIndexOf } from '../../rules/app-objects';
import { balancerModelOf, definitionOf } from '../../rules/controller-definition';
import { allKinds, claimants, likelyOwner } from '../../rules/known-kinds';
import type { Manifest } from '../../rules/manifest-objects';
import { typedService } from '../../rules/service-fields';
import { isService, updatesOf, wantsLoadBalancer } from '../../rules/service-json';
import type { SynthObject } from '../../rules/synth-object';
import { SynthWatch, synthObjectsUnder } from '../../rules/synth-watch';
import { protectionKey } from '../../rules/warnings';
import { type BalancerChange, type Effect, titleOfChange } from '../effect';
import { isDumped, type Side, type SideBalancer } from '../side';
import type { LoadBalancerChange, LoadBalancerChangeCause } from './options';

interface AppSideOptions {
  readonly asWritten?: boolean;
  readonly older?: readonly Manifest[];
}

export function sideOfApp(root: IConstruct, { asWritten, older }: AppSideOptions = {}): Side {
  const watch = SynthWatch.find(root);
  const look = () => {
    const checked = synthObjectsUnder(root);
    const balanced = checked.flatMap((object) => object.balancedServices.map((service) => ({ object, service })));
    const planned = balanced.filter(({ object }) => object.plan !== undefined);
    const side = sideOfManifests(root.node.path || 'the app', manifestsOf(root), {
      controllers: controllersOf(checked),
      ...(older && { older }),
      planned: new Map(planned.map(({ object, service }) => [objectIdOf(service), ownershipOf(object)])),
      hidden: asWritten
        ? []
        : planned.filter(({ object }) => !ApiObject.isApiObject(object.target)).map(plannedService),
    });
    return { ...side, gaps: side.gaps.map((gap) => gap.replace(`:${NO_LINE}: `, ': ')) };
  };
  return watch ? watch.inPass(look) : look();
}

export function sideBefore(name: string, manifests: readonly Manifest[], { node }: IConstruct, newer: Side): Side {
  const side = sideOfManifests(name, manifests, {
    controllers: controllersOf(SynthWatch.find(node.root)?.objects ?? []),
    newer: new Map(newer.balancers.map((balancer) => [balancer.id, balancer])),
  });
  return isDumped(manifests) ? { ...side, isLive: true, balancers: withoutMade(side.balancers) } : side;
}

/** A cluster has what is made of an object beside that; the app has the object alone, which says what was asked for. */
function withoutMade(balancers: readonly SideBalancer[]): SideBalancer[] {
  const made = new Set(balancers.flatMap(({ id, written }) => (written.madeOf ? [id] : [])));
  return balancers.filter(({ id, written }) => written.madeOf !== undefined || !made.has(id));
}

function controllersOf(checked: readonly SynthObject[]): ILoadBalancerController[] {
  return [
    ...new Set(checked.flatMap(({ controller }) => (controller && definitionOf(controller) ? [controller] : []))),
  ];
}

const NO_LINE = 0;

function manifestsOf(root: IConstruct): Manifest[] {
  return appIndexOf(root)
    .under(root)
    .map(({ path, json }) => ({ file: path, line: NO_LINE, object: JSON.parse(JSON.stringify(json)) as Json }));
}

function ownershipOf({ plan, controller }: SynthObject): Ownership {
  const owner = plan?.owner ?? '';
  const kind = allKinds().find(({ name }) => name === owner);
  // a controller of ours knows more than its kind
  const known = controller && definitionOf(controller) ? controller : kind;
  return ownedBy(owner, known);
}

function plannedService({
  object,
  service,
}: {
  readonly object: SynthObject;
  readonly service: Json;
}): ReportedService {
  const { kind, name } = object.target;
  return { file: object.path, line: NO_LINE, object: service, madeBy: `${kind} ${name}` };
}

type Ownership = Pick<SideBalancer, 'owner' | 'controller' | 'guess' | 'unowned' | 'ownership'>;

interface KnownOfSide {
  readonly controllers?: readonly ILoadBalancerController[];
  readonly planned?: ReadonlyMap<string, Ownership>;
  readonly hidden?: readonly ReportedService[];
  readonly older?: readonly Manifest[];
  readonly newer?: ReadonlyMap<string, SideBalancer>;
}

function sideOfManifests(name: string, manifests: readonly Manifest[], known: KnownOfSide = {}): Side {
  const { services, notes, nlbs = [] } = predictServices(manifests, true, known.older);
  const compared = new Set(nlbs.map(({ note }) => note));
  const shown: ReportedService[] = [...manifests.filter(({ object }) => isService(object)), ...services];
  const { hidden: planned = [], older = [] } = known;
  // without the nodes that live they would have other names
  const afresh = planned.length > 0 && older.length > 0 ? predictServices(manifests, true).services : [];
  const ids = new Set([...shown, ...afresh].map(({ object }) => objectIdOf(object)));
  const hidden = planned.filter(({ object }) => !ids.has(objectIdOf(object)));
  const beside = manifests.map(({ object }) => object).filter((object) => !isService(object));
  const asUpdate = updatesOf(older.map(({ object }) => object));
  const balancers = [...shown, ...hidden].flatMap((service) => balancerOf(service, beside, known, asUpdate) ?? []);
  return { name, manifests, balancers, gaps: notes.filter((note) => !compared.has(note)) };
}

function balancerOf(
  written: ReportedService,
  beside: readonly Json[],
  known: KnownOfSide,
  asUpdate: (service: Json) => Json,
): SideBalancer | undefined {
  const { service } = typedService(written.object);
  const id = objectIdOf(service);
  const ownership = ownershipIn(known, id, asUpdate(service), written);
  if (!ownership) {
    return undefined;
  }
  const made = balancerModelOf(service, ownership.controller, beside);
  const title = written.madeBy === undefined ? id : `${id}, of ${written.madeBy}`;
  return { id, title, service, written, ...ownership, ...(made ? { made } : {}) };
}

/** The owner, as far as it is known; undefined if the Service asks for no balancer. */
function ownershipIn(
  { planned, controllers = [], newer }: KnownOfSide,
  id: string,
  service: Json,
  written: ReportedService,
): Ownership | undefined {
  const own = planned?.get(id);
  if (own) {
    return own;
  }
  const byDefault = LoadBalancerOwner.of(service);
  const isAsked = byDefault.state !== OwnershipState.NOT_APPLICABLE;
  const known = protectedBy(written, controllers) ?? ownerAfter(newer?.get(id), service);
  if (isAsked && known) {
    return known;
  }
  const owner = ownerAmong(service, controllers);
  if (!owner && !isAsked) {
    return undefined;
  }
  const claimant = owner ?? byDefault.controller;
  return known ?? (claimant ? ownedBy(claimant.name, claimant) : guessed(service));
}

function protectedBy(written: ReportedService, controllers: readonly ILoadBalancerController[]): Ownership | undefined {
  const owner = protectedOwnerOf(written);
  const installed = controllers.filter(({ name }) => name === owner);
  const controller = installed.length === 1 ? installed[0] : allKinds().find(({ name }) => name === owner);
  return owner === undefined ? undefined : ownedBy(owner, controller);
}

/** The owner on the newer side, if it would take the Service as it is on the older one. */
function ownerAfter(now: SideBalancer | undefined, service: Json): Ownership | undefined {
  if (now?.ownership !== OwnershipState.OWNED) {
    return undefined;
  }
  const { owner, controller } = now;
  const asked = controller && ('bind' in controller ? controller : controller.installed());
  const isSame = JSON.stringify(service) === JSON.stringify(now.service);
  return isSame || (asked && ownerAmong(service, [asked])) ? ownedBy(owner, controller) : undefined;
}

function ownerAmong(
  service: Json,
  controllers: readonly ILoadBalancerController[],
): ILoadBalancerController | undefined {
  const sure = claimants(service, controllers).filter(({ claim }) => claim.claimed === 'yes');
  const first = sure.filter(({ claim }) => claim.byDefaultingTheClass);
  const winners = wantsLoadBalancer(service) ? (first.length > 0 ? first : sure) : [];
  return new Set(winners.map(({ kind }) => kind)).size === 1 ? winners[0].controller : undefined;
}

function ownedBy(owner: string | undefined, controller: SideBalancer['controller']): Ownership {
  return { owner, ownership: OwnershipState.OWNED, ...(controller && { controller }) };
}

function guessed(service: Json): Ownership {
  const kind = likelyOwner(service)?.kind;
  const ownership = OwnershipState.UNKNOWN;
  return kind
    ? { owner: kind.name, ownership, controller: kind, guess: 'its class, or the annotations that it reads' }
    : { ownership, unowned: 'needs a class, or annotations of one controller' };
}

export interface AppliedManifests {
  readonly manifests: readonly Manifest[];
  readonly unreadable: readonly string[];
}

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/**
 * Reads the manifests of a folder and of everything below it, or those of a file.
 *
 * @param extension how files end beside those that kubectl reads
 * @returns nothing where there is neither
 */
export function readAppliedManifests(path: string, extension?: string): AppliedManifests | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const endings = extension ? [...EXTENSIONS, extension] : EXTENSIONS;
  const isManifest = (file: string) => endings.some((ending) => file.endsWith(ending));
  const files = found?.isDirectory() ? below(path).filter(isManifest) : [path];
  const [manifests, unreadable]: [Manifest[], string[]] = [[], []];
  for (const file of found ? files : []) {
    const { values, faults } = readKubernetesYaml(readFileSync(file));
    unreadable.push(...faults.map(({ line, what }) => `${file}:${line}: ${what}`));
    for (const { value, line, source } of values.flatMap(itemsOf)) {
      if (isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string') {
        manifests.push({ file, line, object: value, source });
      }
    }
  }
  return found && { manifests, unreadable };
}

function below(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== 'node_modules' && !name.startsWith('.'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isDirectory() ? below(path) : found?.isFile() ? [path] : [];
    });
}

export function protectedOwnerOf({ object, madeOf, template }: ReportedService): string | undefined {
  const part = madeOf && nameOf(madeOf.object, madeOf.path);
  return (
    protectionIn(object, protectionKey()) ??
    protectionIn(madeOf?.object, protectionKey()) ??
    (part === undefined ? undefined : protectionIn(madeOf?.object, protectionKey(part))) ??
    protectionIn(template?.manifest.object, protectionKey())
  );
}

function protectionIn(object: Json | undefined, key: string): string | undefined {
  const mark: unknown = annotationsIn(object)[key];
  return typeof mark === 'string' ? mark : undefined;
}

export function annotationsIn(object: Json | undefined): Json {
  return mapIn(mapIn(object, 'metadata'), 'annotations');
}

function nameOf(object: Json, path: YamlPath): string | undefined {
  const name = valueBySteps(object, [...path, 'name']);
  return typeof name === 'string' ? name : undefined;
}

export function publicChange(change: BalancerChange): LoadBalancerChange {
  const { before, after, outcome, effects: causes } = change;
  const balancer = after ?? before;
  return defined({
    outcome,
    service: balancer?.id ?? '',
    title: titleOfChange(change),
    ownerBefore: before?.owner,
    ownerAfter: after?.owner,
    path: balancer && placeOf(balancer),
    causes: causes.map(publicEffect),
  }) as LoadBalancerChange;
}

export function publicEffect(effect: Effect): LoadBalancerChangeCause {
  const { outcome, field, from, to, why, condition, whom, lasts, remedy, notApplied, trace, needs } = effect;
  return defined({
    ...{ outcome, field, before: from, after: to, why: condition === undefined ? why : `if ${condition}, ${why}` },
    ...{ whom, lasts, remedy, notApplied, trace, needs: needs && [...needs] },
  }) as LoadBalancerChangeCause;
}

export function placeOf({ written: { file, line } }: SideBalancer): string {
  return line > 0 ? `${file}:${line}` : file;
}

/** Changes for people, worst first; those that nothing happens to are counted, unless something is to be done or an edit is not applied. */
export function diffText(changes: readonly LoadBalancerChange[], gaps: readonly string[]): string {
  const shown = changes.filter(
    ({ outcome, causes }) =>
      outcome !== LoadBalancerOutcome.KEPT ||
      causes.some(({ remedy, notApplied }) => remedy !== undefined || notApplied),
  );
  const kept = changes.length - shown.length;
  return [
    ...shown.flatMap((change) => linesOf(change)),
    ...(kept > 0 ? [`KEPT  ${kept}${shown.length > 0 ? ' others' : ''}`] : []),
    ...(changes.length === 0 ? ['no load balancer on either side'] : []),
    ...gaps.map((gap) => `not compared: ${printable(gap)}`),
    '',
  ].join('\n');
}

function linesOf({ outcome, title, path, causes }: LoadBalancerChange): string[] {
  const place = path === undefined ? '' : ` (${printable(path)})`;
  return [
    `${outcome.toUpperCase()}  ${printable(title)}${place}`,
    ...causes.flatMap((effect) => [
      `    ${printable(sentenceOfCause(effect))}`,
      ...(effect.remedy === undefined ? [] : [`    remedy: ${printable(effect.remedy)}`]),
    ]),
  ];
}

/** The change and its effect, in one clause: `spec.type LoadBalancer -> ClusterIP: …`. */
export function sentenceOfCause(cause: LoadBalancerChangeCause): string {
  const { field, before, after, why, whom, lasts, needs = [] } = cause;
  const values = [before, after].some((value) => value !== undefined)
    ? ` ${before ?? 'nothing'} -> ${after ?? 'nothing'}`
    : '';
  const missing = needs.length > 0 ? `; needs ${needs.join(', ')}` : '';
  const reach = [whom, lasts].filter((part) => part !== undefined).join(', ');
  return `${field}${values}: ${why}${reach && ` (${reach})`}${missing}`;
}
