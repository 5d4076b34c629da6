import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { objectIdOf } from '../contract/object-title';
import { OwnershipState } from '../controllers/load-balancer-owner';
import type { ReportedService } from '../later/later';
import { appIndexOf } from '../rules/app-objects';
import { definitionOf, knownKinds } from '../rules/controller-definition';
import type { JudgedObject } from '../rules/judged-object';
import { judgedUnder } from '../rules/judged-under';
import type { Manifest } from '../rules/manifest-objects';
import { SynthWatch } from '../rules/synth-watch';
import { isDumped } from './live-object';
import { type Ownership, sideOfManifests } from './manifests-side';
import type { Side, SideBalancer } from './side';

interface AppSideOptions {
  /** Whether Services that are made later count as far as what is written shows them, and not as far as the app knows. */
  readonly asWritten?: boolean;
  /** What is applied before it. */
  readonly older?: readonly Manifest[];
}

/** A construct and everything below it, as manifests whose files are construct paths. */
export function sideOfApp(root: IConstruct, { asWritten, older }: AppSideOptions = {}): Side {
  const watch = SynthWatch.find(root);
  const look = () => {
    const judged = judgedUnder(root);
    const balanced = judged.flatMap((object) => object.balancedServices.map((service) => ({ object, service })));
    const planned = balanced.filter(({ object }) => object.plan !== undefined);
    const side = sideOfManifests(root.node.path || 'the app', manifestsOf(root), {
      controllers: controllersOf(judged),
      ...(older && { older }),
      planned: new Map(planned.map(({ object, service }) => [objectIdOf(service), ownershipOf(object)])),
      hidden: asWritten ? [] : planned.filter(({ object }) => !ApiObject.isApiObject(object.target)).map(laterOne),
    });
    return { ...side, gaps: side.gaps.map((gap) => gap.replace(`:${NO_LINE}: `, ': ')) };
  };
  return watch ? watch.inPass(look) : look();
}

/** What was written of an app before, as far as the app knows it. */
export function sideBefore(name: string, manifests: readonly Manifest[], { node }: IConstruct, newer: Side): Side {
  const side = sideOfManifests(name, manifests, {
    controllers: controllersOf(SynthWatch.find(node.root)?.objects ?? []),
    newer,
  });
  return isDumped(manifests) ? { ...side, isLive: true, balancers: withoutMade(side.balancers) } : side;
}

/** A cluster has what is made of an object beside that; the app has the object alone, which says what was asked for. */
function withoutMade(balancers: readonly SideBalancer[]): SideBalancer[] {
  const made = new Set(balancers.flatMap(({ id, written }) => (written.madeOf ? [id] : [])));
  return balancers.filter(({ id, written }) => written.madeOf !== undefined || !made.has(id));
}

function controllersOf(judged: readonly JudgedObject[]): ILoadBalancerController[] {
  return [...new Set(judged.flatMap(({ controller }) => (controller && definitionOf(controller) ? [controller] : [])))];
}

/** No line of a file. */
const NO_LINE = 0;

/** The objects as they are written: YAML has no fields without a value. */
function manifestsOf(root: IConstruct): Manifest[] {
  return appIndexOf(root)
    .under(root)
    .map(({ path, json }) => ({ file: path, line: NO_LINE, object: JSON.parse(JSON.stringify(json)) as Json }));
}

function ownershipOf({ plan, controller }: JudgedObject): Ownership {
  const owner = plan?.owner ?? '';
  const kind = knownKinds().find(({ name }) => name === owner);
  // a controller of ours knows more than its kind
  const known = controller && definitionOf(controller) ? controller : kind;
  return { owner, ownership: OwnershipState.OWNED, ...(known ? { controller: known } : {}) };
}

function laterOne({ object, service }: { readonly object: JudgedObject; readonly service: Json }): ReportedService {
  const { kind, name } = object.target;
  return { file: object.path, line: NO_LINE, object: service, madeBy: `${kind} ${name}` };
}
