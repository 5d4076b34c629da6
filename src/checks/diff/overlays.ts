import { dirname } from 'node:path';
import type { Json } from '../../contract/json';
import { printable } from '../../contract/printable';
import type { YamlPath } from '../../contract/yaml-source';
import type { BalancerChange, Cause } from '../../diff/balancer-change';
import { worstFirst } from '../../diff/diff';
import { LOSSES, worstOf } from '../../diff/outcome';
import type { SideBalancer } from '../../diff/side';
import { appliedFolders } from './appliers';
import { RENDERED } from './doubts';
import { type Kustomization, KustomizationsOfSide } from './kustomizations';
import { patchesOf, writesOver } from './kustomize-patches';
import type { DiffedSide } from './sides';

/** What kustomizations write over whatever the files say that they render: what changes there need not change anything. */
export class Overlays {
  private readonly before: OverlaysOfSide;
  private readonly after: OverlaysOfSide;

  public constructor(before: DiffedSide, after: DiffedSide) {
    this.before = new OverlaysOfSide(before);
    this.after = new OverlaysOfSide(after);
  }

  /** The change of a balancer; what every kustomization writes over that renders it is unknown, and no loss. */
  public of(change: BalancerChange): BalancerChange {
    const { before, after, movedTo, movedFrom } = change;
    const [old, now] = [before ?? movedFrom, after ?? movedTo];
    const sides = [...(old ? [old] : []), ...(now ? [now] : [])];
    if (sides.every(({ written }) => !this.before.has(written.file) && !this.after.has(written.file))) {
      return change;
    }
    const causes = change.causes.map((cause) => this.ofCause(cause, change, old ?? now, now ?? old));
    return causes.every((cause, i) => cause === change.causes[i])
      ? change
      : worstFirst({ ...change, causes, outcome: worstOf(causes.map(({ outcome }) => outcome)) });
  }

  private ofCause(
    cause: Cause,
    { movedFrom }: BalancerChange,
    before: SideBalancer | undefined,
    after: SideBalancer | undefined,
  ): Cause {
    const isMoved = movedFrom !== undefined && cause.outcome === 'created';
    if (!before || !after || cause.path.length === 0 || !(LOSSES.has(cause.outcome) || isMoved)) {
      return cause;
    }
    // what a cluster has was rendered
    const isRendered =
      this.before.isLive || this.before.writerOver(before, cause.pathBefore ?? cause.path) !== undefined;
    const writer = this.after.writerOver(after, cause.path);
    if (!isRendered || writer === undefined) {
      return cause;
    }
    const { field, path, pathBefore, from, to, places } = cause;
    const why = `${writer} writes over the field in what it renders, and that is not what is compared`;
    const where = { field, path, ...(pathBefore && { pathBefore }), ...(places && { places }) };
    const values = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return { ...where, ...values, outcome: 'unknown', why: printable(why), needs: [RENDERED] };
  }
}

class OverlaysOfSide {
  public readonly isLive: boolean;
  private readonly kustomizations: KustomizationsOfSide;
  private readonly applied: readonly string[];
  private readonly ways = new Map<string, readonly (readonly Kustomization[])[]>();

  public constructor(private readonly of: DiffedSide) {
    this.isLive = of.side.isLive === true;
    this.kustomizations = new KustomizationsOfSide(of);
    this.applied = this.kustomizations.files.length === 0 ? [] : appliedFolders(of.side.manifests);
  }

  public has(file: string): boolean {
    return this.waysTo(file).length > 0;
  }

  /** The kustomization that writes a field of an object in what it renders, where all that render it have one that does so. */
  public writerOver({ written, service }: SideBalancer, path: YamlPath): string | undefined {
    const ways = written.madeOf ? [] : this.waysTo(written.file);
    const writers = ways.map((way) => way.find((one) => this.isWriter(one, service, path)));
    return writers.every((one) => one !== undefined) ? writers[0]?.manifest.file : undefined;
  }

  private isWriter({ manifest, fields }: Kustomization, service: Json, path: YamlPath): boolean {
    const isNamespace = path.join('.') === 'metadata.namespace';
    return (
      (isNamespace && typeof fields.namespace === 'string' && fields.namespace !== '') ||
      patchesOf(manifest, this.of.read).some((patch) => writesOver(patch, service, path))
    );
  }

  /** Nothing where one of those on the way is applied by itself as well. */
  private waysTo(file: string): readonly (readonly Kustomization[])[] {
    const known = this.ways.get(file) ?? this.kustomizations.waysTo(file);
    this.ways.set(file, known);
    const isInner = ([, ...inner]: readonly Kustomization[]) => inner.some((one) => this.isApplied(one));
    return known.some(isInner) ? [] : known;
  }

  private isApplied({ manifest, isComponent }: Kustomization): boolean {
    const folder = dirname(manifest.file);
    return !isComponent && this.applied.some((path) => path === folder || path.endsWith(`/${folder}`));
  }
}
