import { ApiObject, type ApiObjectProps, App, Chart, Yaml } from 'cdk8s';
import { ruleExamples, type TestedExample } from '../../scripts/docs/rule-examples';
import {
  AdoptedService,
  LoadBalancerFindingSeverity,
  LoadBalancerOwner,
  LoadBalancerScheme,
  LoadBalancers,
} from '../../src';
import { CONTEXT_FILE, readContext } from '../../src/cli/context/context-file';
import { checkExample } from '../../src/cli/explain/described-rules';
import type { Json } from '../../src/contract/json';
import { definitionOf } from '../../src/rules/controller-definition';
import { Workloads } from '../../src/rules/workload-rules';
import { type Compared, expectSame, isObject, rulesFound } from '../support/compared';

// An app is a folder that is rendered first. The Services of the examples of rules are adopted in an app with the controller that
// owns them: its synth finds the same mistakes at the same places as `check` of its output.

/** Rules that need what files or the context file alone show. */
const ONLY_IN_FILES: Readonly<Record<string, string>> = {
  'certificate-region-mismatch': 'region of the context file',
  'metallb-shared-local-policy': 'other Services with the address',
};

/** Rules about what an adoption asks for, changes or leaves out. */
const ONLY_AT_SYNTH: Readonly<Record<string, string>> = {
  'class-added-to-live-service': 'the adoption adds the class',
  'gke-rbs-ignored': 'the adoption adds the class, by which the annotation is ignored',
  'manifest-with-server-fields': 'the adoption leaves out what the API server wrote',
  'object-duplicate': 'files have object-duplicate-in-files',
  'request-unsupported': 'the controller answers the request, and its own rule names the field',
  'session-affinity-by-node': 'answer of the controller to the request',
};

/** Findings that tell that the example has another controller than the one with its defaults. */
const OTHER_CONTROLLER = ['manifest-plan-conflict', 'controller-failed'];

const isBalanced = ({ kind, spec }: Json) => kind === 'Service' && spec?.type === 'LoadBalancer';

/** What is found in the Services of some objects; nothing if no controller of ours can adopt them. */
function compared(objects: readonly Json[], context: string | undefined, isPublic = false): Compared | undefined {
  const { controllers } = readContext(CONTEXT_FILE, context ?? '').context ?? {};
  const app = new App();
  const chart = new Chart(app, 'chart');
  const written = objects.map(({ file: _, ...json }, i) => ({
    json,
    object: new ApiObject(chart, `object-${i}`, json as ApiObjectProps),
  }));
  const workloads = new Workloads(objects);
  const adopted = written.flatMap(({ json, object }) => {
    const { controller } = LoadBalancerOwner.of(json, controllers && [...controllers]);
    if (!isBalanced(json) || controller === undefined) return [];
    const [behind] = workloads.of(json);
    const workload = written.find(
      (one) => one.json.kind === behind?.kind && one.json.metadata.name === behind.metadata.name,
    );
    const declared = definitionOf(controller)?.schemeOf(json).scheme ?? LoadBalancerScheme.INTERNET_FACING;
    const scheme = isPublic ? declared : undefined;
    return [
      new AdoptedService(chart, `adopted-${object.node.id}`, {
        service: object,
        controller,
        scheme,
        workload: workload?.object,
      }),
    ];
  });
  if (adopted.length === 0) return undefined;
  const { findings } = LoadBalancers.of(app);
  if (!isPublic && findings.some(({ finding }) => finding.ruleId === 'adopted-scheme-unknown')) {
    return compared(objects, context, true);
  }
  if (findings.some(({ finding }) => OTHER_CONTROLLER.includes(finding.ruleId))) return undefined;
  // an object with an error is not rendered
  const isRefused = findings.some(({ severity }) => severity === LoadBalancerFindingSeverity.ERROR);
  const rendered = written.map(({ json, object }) => (isRefused ? json : object.toJson()));
  const report = checkExample(rendered.map((one) => Yaml.stringify(one)).join('---\n'), context);
  const line = (ruleId: string, value: string | undefined, at: string) => `${ruleId} ${value} ${at}`;
  return {
    synth: findings.map(({ finding: { ruleId, value, at } }) => line(ruleId, value, at)),
    check: report.findings.flatMap(({ ruleId, value, pointer, object }) =>
      object.kind === 'Service' ? [line(ruleId, value, pointer)] : [],
    ),
  };
}

const EXAMPLES = ruleExamples().flatMap(({ rule, objects, context }: TestedExample) =>
  (['bad', 'good'] as const).flatMap((side) =>
    objects?.[side].every(isObject) ? [[`${rule}, ${side}`, objects[side], context] as const] : [],
  ),
);

test('the synth of an app finds what a check of its output finds', () => {
  const pairs = EXAMPLES.flatMap(([title, objects, context]) => {
    const found = compared(objects as readonly Json[], context);
    return found ? [{ title, ...found }] : [];
  });
  expectSame(pairs, { onlyInFiles: ONLY_IN_FILES, onlyAtSynth: ONLY_AT_SYNTH });
  expect(pairs.length).toBeGreaterThan(300);
  expect(rulesFound(pairs)).toBeGreaterThan(100);
});
