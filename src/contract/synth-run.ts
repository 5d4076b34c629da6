import { ApiObject, type App, Chart, DependencyGraph } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { oncePer } from './json';
import { decorateMethod, type MethodWrapper } from './late-rendering';

/** Output files of the objects of an app. */
export enum SynthOutput {
  /** `App.synth()`: files, as the output type of the app has it. */
  FILES,
  /** `App.synthYaml()`: one text. */
  TEXT,
  /** `Chart.toJson()` by itself: another tool takes the chart, as AWS CDK does. */
  CHART,
}

/** One synth of an app, from its first validation to its last object. */
export interface SynthRun {
  readonly output: SynthOutput;
  /** Number of constructs of each chart when the app was last validated. */
  sizes?: ReadonlyMap<IConstruct, number>;
}

const RUNS = new WeakMap<IConstruct, SynthRun>();

const AFTER = new WeakMap<IConstruct, (() => void)[]>();

/** The synth of its app that a construct takes part in; none at any other time. */
export function synthRunOf(construct: IConstruct): SynthRun | undefined {
  return RUNS.get(construct.node.root);
}

/**
 * Watches the synths of the app of a construct. cdk8s has no such notion: it validates the whole app before the first
 * chart and again before each chart. So the methods that synthesize are decorated.
 */
export function watchSynths(construct: IConstruct, after?: () => void): void {
  const { root } = construct.node;
  const known = AFTER.get(root);
  if (!known) {
    const { synth, synthYaml } = root as Partial<App>;
    if (typeof synth === 'function' && typeof synthYaml === 'function') {
      decorateMethod(root as App, 'synth', during(SynthOutput.FILES));
      decorateMethod(root as App, 'synthYaml', during(SynthOutput.TEXT));
    }
    decorateMethod(Chart.prototype, 'toJson', during(SynthOutput.CHART));
  }
  AFTER.set(root, [...(known ?? []), ...(after ? [after] : [])]);
}

/** Something of an app changed after it was validated: the app is validated again before the next chart. */
export function validateAgain(construct: IConstruct): void {
  const run = synthRunOf(construct);
  if (run) {
    run.sizes = undefined;
  }
}

/** Adds a validation that is asked once in each synth: cdk8s asks its own once a chart, which is quadratic. */
export function validateOnce(construct: IConstruct, validate: () => string[]): void {
  const { root } = construct.node;
  watchSynths(root);
  let asked: { readonly run: SynthRun; readonly errors: string[] } | undefined;
  construct.node.addValidation({
    validate: () => {
      const run = RUNS.get(root);
      if (run === undefined) {
        return validate();
      }
      asked = asked?.run === run ? asked : { run, errors: validate() };
      return asked.errors;
    },
  });
}

function during(output: SynthOutput): MethodWrapper<IConstruct> {
  return (self, call) => {
    const { root } = self.node;
    const current = RUNS.get(root);
    if (current) {
      return output === SynthOutput.CHART ? chartInRun(self, current, call) : call();
    }
    RUNS.set(root, { output });
    try {
      return call();
    } finally {
      RUNS.delete(root);
      for (const done of AFTER.get(root) ?? []) {
        done();
      }
    }
  };
}

/**
 * The objects of a chart while its app is synthesized. cdk8s resolves the dependencies of the whole app and validates
 * it before each chart, which is quadratic; before the first chart is enough as long as no construct is added.
 */
function chartInRun(chart: IConstruct, run: SynthRun, call: () => unknown): unknown {
  if (run.sizes?.get(chart) === sizeOf(chart)) {
    return new DependencyGraph(chart.node)
      .topology()
      .filter((object): object is ApiObject => ApiObject.isApiObject(object) && Chart.of(object) === chart)
      .map((object) => object.toJson());
  }
  const { node } = chart.node.root;
  if (node.children.length === 1) {
    return call();
  }
  const charts = node.findAll().filter(Chart.isChart);
  run.sizes = new Map(charts.map((each) => [each, sizeOf(each)]));
  return call();
}

export function apiObjectsIn(construct: IConstruct): ApiObject[] {
  return construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
}

const sizeOf = ({ node }: IConstruct) => node.findAll().length;

export function perApp<T>(make: (root: IConstruct) => T): (construct: IConstruct) => T {
  const ofRoot = oncePer(make);
  return ({ node: { root } }) => ofRoot(root);
}
