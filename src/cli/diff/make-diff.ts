import { worstOf } from '../../contract/edit';
import { grouped, printable } from '../../contract/json';
import { variableIn } from '../../contract/kubernetes-syntax';
import { count, ownCommand } from '../../contract/rule';
import { compareChanges, diffOf } from '../../diff/diff';
import { type BalancerChange, type Effect, placesOf, titleOfChange } from '../../diff/effect';
import type { DiffOptions, SideBalancer } from '../../diff/side';
import type { Writer } from '../../lifecycle/scenario';
import { type MakerPlace, makerTitle } from '../../predicted/predicted';
import type { UnreadableDocument } from '../check-report';
import type { AcceptedLoss } from '../context/check-context';
import { UsageError } from '../files';
import { jsonOfClusters } from '../formats/json';
import { type CommandResult, clusterTitle, folded, lineOf } from '../formats/words';
import { leftOut } from '../manifests';
import type { Answer, SharedOptions } from '../options';
import { fieldInMaker } from '../places';
import { AcceptedLosses, lossesIgnored, noteOf } from './accepted-losses';
import {
  type DiffReport,
  diffJson,
  isAccepted,
  isListed,
  isOpenLoss,
  isOpenUnknown,
  type PlaceOnSide,
  type ReportedBalancer,
  type ReportedCause,
  type ReportedChange,
  type ReportedStep,
} from './diff-report';
import { diffGithub, diffMarkdown, diffText, type TextOptions } from './formats';
import { moneyOf } from './money';
import {
  type ClusterSides,
  inVersionsOf,
  type ReadSide,
  type ReadSides,
  readPath,
  readPaths,
  readRevisions,
  type VersionOptions,
  versionsOfOptions,
} from './read-sides';
import {
  type Both,
  changesOfUnlisted,
  comparedWith,
  type DiffedSide,
  setsOf,
  sideOf,
  unreadOf,
  withUnknownSources,
} from './sides';

export interface MakeDiffOptions extends DiffOptions {
  readonly allowed: readonly AcceptedLoss[];
  readonly today: string;
}

export function makeDiff(sides: ReadSides, { allowed, today, ...options }: MakeDiffOptions): DiffReport {
  const older = sideOf(sides.before);
  const after = sides.before.read === sides.after.read ? asMade(sideOf(sides.after)) : sideOf(sides.after, older);
  const { side: before, notes: left } = withoutOthers(older, after, options);
  const changes = [
    ...diffOf(before.side, after.side, options).map((change) =>
      withVariables(withUnknownSources(change, { before, after }, sides)),
    ),
    ...changesOfUnlisted(before, after),
  ].sort(compareChanges);
  const inAnnotations = lossesIgnored(before, after, (side, { file, ...at }) => ({
    ...at,
    file: sides[side].shown(sides[side].common(file)),
  }));
  const losses = new AcceptedLosses(
    [...(sides.after.context.acceptedLosses ?? []), ...inAnnotations, ...allowed],
    today,
  );
  const reported = printed(reportedChanges(changes, { before, after }, losses));
  const money = moneyOf({ before, after }, changes, options.prune);
  // a source that neither side can render is told once
  const isTold = ({ isSource, what }: UnreadableDocument) =>
    isSource && sides.after.read.unreadable.some((one) => one.isSource && one.what === what);
  const unread = {
    before: unreadOf(before, sides).filter((one) => !isTold(one)),
    after: unreadOf(after, sides),
  };
  const idle = losses.idle;
  return {
    before: describedSide(before),
    after: describedSide(after),
    context: contextOf(before, after),
    changes: reported,
    steps: stepsOf(reported),
    unreadable: sidesOf(sides).flatMap((name) =>
      unread[name].map(({ place, what, remedy, isSource }) => ({
        side: name,
        ...(isSource && { isSource }),
        place: { ...place, file: sides[name].shown(sides[name].common(place.file)) },
        what,
        remedy,
      })),
    ),
    notes: [
      ...new Set([
        ...left,
        ...sidesOf(sides).flatMap((name) =>
          folded((name === 'before' ? notesOf(before, after, sides) : notesOf(after, before, sides)).map(printable)),
        ),
        ...idle.map(noteOf),
      ]),
    ],
    idleForAll: idle.filter(({ isForAll, place }) => isForAll || !place).map(noteOf),
    mayHaveMore: [before, after].some(({ files, read }) => files.later.notes.length > 0 || read.read.isIncomplete),
    isIncomplete: [before, after].some(({ read }) => read.read.isIncomplete),
    money,
  };
}

function printed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'string' ? printable(one) : one));
}

/** A cluster as its operators will write it: of what they make, what others wrote on the live Services is not theirs. */
function asMade(diffed: DiffedSide): DiffedSide {
  const { side } = diffed;
  const made = new Set(side.balancers.flatMap(({ id, written }) => (written.madeOf ? [id] : [])));
  const balancers = side.balancers.filter(({ id, written }) => written.madeOf || !made.has(id));
  return { ...diffed, side: { ...side, balancers } };
}

function sidesOf({ before, after }: ReadSides): readonly ('before' | 'after')[] {
  return before.read === after.read ? ['after'] : ['before', 'after'];
}

/** A dump without the balancers that the newer side is not about: a folder has one app, and a cluster has them all. */
function withoutOthers(before: DiffedSide, after: DiffedSide, { prune }: DiffOptions) {
  if (!before.side.isLive || after.side.isLive || prune === true) {
    const isTurned = after.side.isLive && !before.side.isLive;
    const notes = isTurned ? [`${after.side.name} is a dump of a cluster; pass it as the older side`] : [];
    return { side: before, notes };
  }
  const { balancers, others } = comparedWith(before.side.balancers, after.side);
  const named = new Set(after.side.balancers.map(({ id }) => id));
  const sets = new Set(balancers.filter((one) => !named.has(one.id)).flatMap((one) => setsOf(one).slice(0, 1)));
  const left = `${count(others.length, 'balancer')} of ${before.side.name} in no file of ${after.side.name}`;
  return {
    side: { ...before, side: { ...before.side, balancers } },
    notes: [
      ...(others.length > 0 ? [`${left}: not compared; with --prune they count as deleted`] : []),
      ...(sets.size > 0
        ? [`objects that are no longer in any file belong to ${[...sets].join(', ')}, as other compared objects do`]
        : []),
    ],
  };
}

function describedSide({ side, files }: DiffedSide): DiffReport['before'] {
  const { name, isLive = false, balancers } = side;
  return { name, isLive, objects: files.manifests.length, balancers: balancers.length };
}

/** The known context of the cluster; parts of one side alone are named with it, unless an option says so. */
function contextOf(before: DiffedSide, after: DiffedSide): DiffReport['context'] {
  const [old, now] = [before, after].map(({ files }) => files.context.known);
  const isIn = (all: DiffReport['context']) => {
    const known = new Set(all.map(({ what }) => what));
    return ({ what }: { readonly what: string }) => known.has(what);
  };
  const isOneSided = now.some((one) => !isIn(old)(one)) && old.some((one) => !isIn(now)(one));
  const named = (one: DiffReport['context'][number], diffed: DiffedSide, isOfSide = true) => {
    const ofSide = one.from.startsWith('--') || !isOfSide ? one.from : `${one.from} of ${diffed.side.name}`;
    return { ...one, from: located(diffed, one.from) ?? ofSide };
  };
  return [
    ...now.map((one) => named(one, after, isOneSided && !isIn(old)(one))),
    ...old.filter((one) => !isIn(now)(one)).map((one) => named(one, before)),
  ];
}

function located({ files: { manifests }, read }: DiffedSide, text: string): string | undefined {
  const files = new Map(manifests.map(({ file }) => [file, printable(read.shown(file))]));
  const isPlaced = [...text.matchAll(PLACE)].some(([, file]) => files.has(file));
  return isPlaced ? text.replace(PLACE, (_, file, line) => `${files.get(file) ?? file}${line}`) : undefined;
}

const PLACE = /(?<![^\s(])([^\s:(]+)(:\d+)/g;

function notesOf(diffed: DiffedSide, other: DiffedSide, sides: ReadSides): string[] {
  const { files, read, side } = diffed;
  const unread = new Set(unreadOf(diffed, sides));
  const known = read.read.unreadable.filter((document) => !unread.has(document));
  const compared = new Set((files.later.nlbs ?? []).map(({ note }) => note));
  const inSide = (note: string) => located(diffed, note) ?? `${side.name}: ${note}`;
  // what both sides have alike is said once, of the newer one
  const isOfOther = (note: string) => read === sides.before && other.files.later.notes.includes(note);
  const isOfBoth = (note: string) => other.files.later.notes.includes(note);
  const strangeOn = ({ read: { strange }, common }: ReadSide) => leftOut(strange.map(common)).join();
  const isStrangeAlike = read === sides.before && strangeOn(read) === strangeOn(other.read);
  return [
    ...read.notes,
    ...(isStrangeAlike ? [] : leftOut(read.read.strange.map((place) => read.shown(read.common(place))))),
    ...(read.read.notes ?? []).map((note) => (other.read.read.notes?.includes(note) ? note : inSide(note))),
    ...files.later.notes
      .filter((note) => !compared.has(note) && !isOfOther(note))
      .map((note) => (isOfBoth(note) ? (located(diffed, note) ?? note) : inSide(note))),
    ...(read === sides.before ? [] : known).map(({ place: { file, line }, what }) => {
      return `${lineOf(read.shown(read.common(file)), line)} cannot be read, and is the same on both sides: ${what}`;
    }),
  ];
}

function reportedChanges(
  changes: readonly BalancerChange[],
  { before, after }: Both,
  losses: AcceptedLosses,
): ReportedChange[] {
  // one side after the other: a text that was read last need not be read again
  const old = placesOn('before', changes, before.read);
  const now = placesOn('after', changes, after.read);
  return changes.map((change) => {
    const { outcome, effects, movedTo, movedFrom } = change;
    return {
      outcome,
      title: titleOfChange(change),
      before: change.before && reportedBalancer(change.before, before),
      after: change.after && reportedBalancer(change.after, after),
      movedTo: movedTo?.id,
      movedFrom: movedFrom?.id,
      causes: effects.map((cause): ReportedCause => {
        const { field, from, to, why, condition, whom, lasts, first, notApplied, source, trace, needs } = cause;
        const { accepted, over } = losses.of(change, cause);
        const remedy = over === undefined ? cause.remedy : [cause.remedy, over].filter(Boolean).join('; ');
        const what = { outcome: cause.outcome, field, from, to, why, condition, whom, lasts };
        const places = { before: old.get(cause), after: now.get(cause) };
        return { ...what, remedy, first, notApplied, source, trace, needs, ...places, accepted };
      }),
    };
  });
}

function reportedBalancer(balancer: SideBalancer, { read }: DiffedSide): ReportedBalancer {
  const { id, owner, guess, made, written } = balancer;
  const { file, line, madeBy, madeOf } = written;
  const place = placed(read, file, { line, column: 1 });
  return { id, owner, guess, product: made?.name, madeBy, maker: madeOf && makerTitle(madeOf.object), place };
}

function placed({ real, shown }: ReadSide, file: string, at: { readonly line: number; readonly column: number }) {
  const { line, column } = at;
  return { file: printable(real(file)), line, column, shown: printable(lineOf(shown(file), line)) };
}

function placesOn(side: 'before' | 'after', changes: readonly BalancerChange[], read: ReadSide) {
  const all = changes.flatMap((change) =>
    change.effects.flatMap((cause) => {
      const place = exactly(change, cause, side);
      return place ? [{ cause, ...place }] : [];
    }),
  );
  // one object after the other, and each of its fields once
  const ofObjects = [...grouped(all, ({ manifest }) => manifest).values()];
  const ofFields = ofObjects.flatMap((one) => [...grouped(one, ({ path }) => JSON.stringify(path)).values()]);
  return new Map(
    ofFields.flatMap((ofField) => {
      const [{ manifest, path }] = ofField;
      const { file, ...at } = manifest.source?.placeOf(path) ?? { line: manifest.line, column: 1 };
      const place = placed(read, file === undefined ? manifest.file : read.common(file), at);
      return ofField.map(({ cause }): [Effect, PlaceOnSide] => [cause, place]);
    }),
  );
}

function exactly(change: BalancerChange, cause: Effect, side: 'before' | 'after'): MakerPlace | undefined {
  const place = placesOf(change, cause)[side];
  const balancer = change[side];
  const { madeOf, template } = balancer?.written ?? {};
  if (!place || cause.places || !balancer || !madeOf) {
    return place;
  }
  const path = (side === 'before' ? cause.pathBefore : undefined) ?? cause.path;
  const inTemplate = template && fieldInMaker(path, { object: template.manifest.object, path: template.path });
  return template && inTemplate && inTemplate.length > template.path.length
    ? { manifest: template.manifest, path: inTemplate }
    : { manifest: { ...place.manifest, object: madeOf.object }, path: fieldInMaker(path, madeOf) };
}

/** A change to what a tool fills in before it is applied: what it does depends on that. */
function withVariables(change: BalancerChange): BalancerChange {
  const causes = change.effects.map((cause): Effect => {
    const { outcome, why, to = '', remedy: _, ...rest } = cause;
    const { from = '' } = outcome === 'kept' ? {} : rest;
    const variable = variableIn(outcome === 'refused' ? `${from} ${to} ${why}` : `${from} ${to}`);
    return variable === undefined || outcome === 'unknown'
      ? cause
      : {
          ...rest,
          ...(to !== '' && { to }),
          outcome: 'unknown',
          why: `${variable} is filled in before it is applied, so this may not happen: ${why}`,
          needs: [`the value of ${variable}`],
        };
  });
  const isOpen = causes.some((cause, i) => cause !== change.effects[i]);
  return isOpen ? { ...change, effects: causes, outcome: worstOf(causes.map(({ outcome }) => outcome)) } : change;
}

export function stepsOf(changes: readonly ReportedChange[]): ReportedStep[] {
  const all = changes.flatMap(({ title, causes }) =>
    causes.flatMap(({ first: step, field, from, to }) => {
      const of = from !== undefined && to !== undefined ? `${field} ${from} -> ${to}` : field;
      return step === undefined ? [] : [{ step, of, title }];
    }),
  );
  return [...grouped(all, ({ of, step }) => JSON.stringify([of, step])).values()].map((group) => ({
    step: group[0].step,
    of: group[0].of,
    balancers: group.map(({ title }) => title).filter((title, i, titles) => title !== titles[i - 1]),
  }));
}

export interface DiffCommandOptions extends VersionOptions, SharedOptions {
  readonly git?: string;
  readonly width?: number;
  readonly allow?: readonly AcceptedLoss[];
  readonly prune?: boolean;
  readonly writer?: Writer;
  readonly date: string;
}

const FORMATS: Readonly<Record<string, (report: DiffReport, options: TextOptions) => string>> = {
  text: diffText,
  json: diffJson,
  markdown: diffMarkdown,
  github: diffGithub,
};

export function runDiff(paths: readonly string[], options: DiffCommandOptions): Answer {
  const { format, verbose = false, allow = [], prune, writer, date, width } = options;
  const clusters = readSides(paths, options).map(({ cluster, ...sides }) => ({
    cluster,
    report: makeDiff(sides, { allowed: allow, today: date, prune, writer }),
  }));
  const isOfAll = (note: string) => clusters.every(({ report }) => report.notes.includes(note));
  // what is accepted in all clusters need not happen in each of them
  const reports = clusters.map(({ cluster, report }) => {
    const notes = report.notes.filter((note) => !report.idleForAll.includes(note) || isOfAll(note));
    return { cluster, report: { ...report, notes } };
  });
  const text = ({ cluster, report }: (typeof reports)[number]) =>
    `${clusterTitle(cluster, format)}${FORMATS[format](report, { isBrief: !verbose, width, cluster })}`;
  return {
    text: format === 'json' ? jsonOfClusters(reports, diffJson) : reports.map(text).join('\n'),
    ...resultOfDiff(reports.map(({ report }) => report)),
  };
}

function readSides(paths: readonly string[], { git, ...options }: DiffCommandOptions): ClusterSides[] {
  const versions = versionsOfOptions(options);
  const [old, now] = paths;
  if (git === undefined && now === undefined) {
    if (!versions) {
      const one = printable(old);
      throw new UsageError(
        `diff has one side, ${one}; name the older one before it, or a revision: ${ownCommand(`diff --git main ${one}`)}`,
      );
    }
    return readPath(old, versions, options);
  }
  const sides =
    git === undefined ? readPaths(old, now, options) : readRevisions(git, paths.length > 0 ? paths : ['.'], options);
  return versions ? sides.map(({ cluster, ...one }) => ({ ...inVersionsOf(one, versions), cluster })) : sides;
}

export function resultOfDiff(reports: readonly DiffReport[]): CommandResult {
  const changes = reports.flatMap((report) => report.changes);
  const has = (is: (cause: ReportedCause) => boolean) => changes.some(({ causes }) => causes.some(is));
  const isIdle = (change: ReportedChange) => change.outcome === 'kept' && isListed(change) && !isAccepted(change);
  return {
    worst: has(isOpenLoss) ? 'error' : changes.some(isIdle) ? 'warning' : undefined,
    isUnknown:
      has(isOpenUnknown) || reports.some((one) => one.isIncomplete || (one.changes.length === 0 && one.mayHaveMore)),
    isUnreadable: reports.some(({ unreadable }) => unreadable.length > 0),
  };
}
