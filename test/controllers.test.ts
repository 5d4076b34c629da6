import { Testing } from 'cdk8s';
import { KubernetesVersion, LoadBalancerRequest, LoadBalancerWish } from '../src';
import type { Json } from '../src/contract/json';
import { sentenceOf } from '../src/contract/rule';
import { madeOf } from '../src/rules/controller-definition';
import { ManifestIndex } from '../src/rules/manifest-objects';
import type { IndexedObject } from '../src/rules/objects';
import { caseTables, limitInWords } from './support/cases';
import { judge } from './support/judge';

const TO_REFUSE =
  'refuse the value where the controller is made, or say in anything of the row why every value is legal';

/** The first of some objects of one file, among all of them. */
function amongFiles(objects: readonly Json[]): IndexedObject {
  return new ManifestIndex(objects.map((object, i) => ({ file: 'all.yaml', line: i + 1, object }))).all[0];
}

/** What is thrown; nothing where it is not. */
function messageOf(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each([...caseTables])('%s', (_, cases) => {
  if (cases.options.length > 0) {
    test.each(cases.options)('option $option writes what the controller reads', ({ option, valid, writes, ...row }) => {
      const controller = cases.make({ ...row.with, [option]: valid }, row.factory);
      const plan = controller.bind(Testing.chart(), new LoadBalancerRequest({ ports: [{ port: 443 }] }));
      expect(plan.annotations).toMatchObject(writes);
      for (const [key, text] of Object.entries(writes)) {
        expect(cases.kind.catalogue.find(key)?.decode(text)).toHaveProperty('value');
      }
    });

    test.each(cases.options)('option $option refuses what the controller would not read', ({ option, ...row }) => {
      if (row.anything === undefined) {
        const refusal = messageOf(() => cases.make({ ...row.with, [option]: row.refused }, row.factory));
        expect(refusal ?? `nothing is thrown; ${TO_REFUSE}`).not.toContain(TO_REFUSE);
        expect(refusal).toContain(option);
      } else {
        expect(row.refused).toBeUndefined();
      }
    });
  }

  test.each(cases.requests)('$title', (row) => {
    const plan = row.controller().bind(Testing.chart(), new LoadBalancerRequest(row.request));
    const problems = (plan.problems ?? []).map(sentenceOf);
    expect(problems).toEqual((row.problems ?? []).map((text) => expect.stringContaining(text)));
    expect((plan.warnings ?? []).map((warning) => warning.ruleId)).toEqual(row.warnings ?? []);
    for (const [field, value] of Object.entries(row.plan ?? {})) {
      expect({ [field]: plan[field as keyof typeof plan] }).toEqual({ [field]: value });
    }
  });

  if (cases.services.length > 0) {
    test.each(cases.services)('reading: $title', (row) => {
      const controller = row.controller?.() ?? cases.kind.installed();
      const among = row.beside && amongFiles([row.service, ...row.beside]);
      const context = { kind: cases.kind, controller, kubernetes: KubernetesVersion.V1_36, among, ...row.known };
      const judgement = judge(row.service, cases.kind.rules, context, cases.kind.name);
      expect(judgement.errors.map((error) => error.ruleId)).toEqual(row.errors ?? []);
      expect(judgement.warnings.map((warning) => warning.ruleId)).toEqual(row.warnings ?? []);
    });
  }

  if (cases.refusedOptions) {
    test.each(cases.refusedOptions)('refused at construction: $title', ({ make, message }) => {
      expect(make).toThrow(message);
    });
  }

  test.each(cases.rollouts)('rollout: $title', (row) => {
    const request = new LoadBalancerRequest({ ports: [{ port: 443 }], rollout: {}, ...row.wishes });
    const { rollout, answers, problems = [], ...plan } = row.controller().bind(Testing.chart(), request);
    const refused = problems.map(sentenceOf).join();
    expect(refused).toContain(row.refused ?? '');
    expect(refused === '').toBe(row.refused === undefined);
    expect(row.refused === undefined).toBe(row.stops !== undefined);
    if (row.refused === undefined) {
      expect(rollout?.stopsSendingAfter.toSeconds()).toBe(row.stops);
      expect(rollout?.startsSendingAfter?.toSeconds()).toBe(row.starts);
      expect(rollout?.namespaceLabels).toEqual(row.labels);
      expect(answers?.rollout).toContain(`pods serve on for ${row.stops} s`);
      expect(plan.annotations).toMatchObject(row.writes ?? {});
      expect(plan.externalTrafficPolicy).toBe(row.policy);
      const warned = (plan.warnings ?? []).filter(({ wish }) => wish === LoadBalancerWish.ROLLOUT).map(sentenceOf);
      expect(warned).toEqual(row.warns === undefined ? [] : [expect.stringContaining(row.warns)]);
    }
  });

  test.each(cases.made)('made: $title', (row) => {
    const made = madeOf(row.service, row.controller?.() ?? cases.kind, row.beside);
    expect(made === undefined).toBe(row.made === undefined);
    for (const [field, value] of Object.entries(row.made ?? {})) {
      expect({ [field]: made?.[field as keyof typeof made] }).toEqual({ [field]: value });
    }
    expect(row.limits ?? made?.limits.map(limitInWords)).toEqual(made?.limits.map(limitInWords));
  });

  if (cases.claims) {
    test.each(cases.claims)('claim: $title', ({ service, controller, claimed }) => {
      expect(cases.kind.claim(service, controller?.() ?? cases.kind.installed()).claimed).toBe(claimed);
    });
  }
});
