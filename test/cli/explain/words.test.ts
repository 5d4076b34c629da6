import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controllerOf, VARIANT_OPTIONS } from '../../../src/cli/context/context-controllers';
import type { Explanation, WordKind } from '../../../src/cli/explain/explanation';
import { explainWord } from '../../../src/cli/explain/words';
import { knownKinds } from '../../../src/rules/known-kinds';
import { run } from '../../support/command';
import { table } from '../../support/yaml-cases';

const explained = (word: string): Explanation => {
  const { explanations } = explainWord(word);
  expect(explanations.map((one) => one.word)).toHaveLength(1);
  return explanations[0];
};

const textOf = (explanation: Explanation) => JSON.stringify(explanation);

describe('words', () => {
  test.each<[word: string, kind: WordKind, whole: string, about: string[]]>(table('cli/explain/words.yaml', 'words'))(
    '%s is a %s',
    (word, kind, whole, about) => {
      const explanation = explained(word);
      expect([explanation.kind, explanation.word]).toEqual([kind, whole]);
      for (const text of about) {
        expect(textOf(explanation)).toContain(text);
      }
    },
  );

  test.each<[string, string[]]>(table('cli/explain/words.yaml', 'ambiguous words'))(
    '%s is explained by no word alone, and near to others',
    (word, near) => {
      const { explanations, nearest } = explainWord(word);
      expect(explanations).toEqual([]);
      expect(nearest).toEqual(expect.arrayContaining(near));
      expect(nearest.length).toBeLessThanOrEqual(8);
    },
  );

  test.each<[string, string[]]>([
    ['octavia', ['openstack-cloud-controller-manager']],
    ['OpenStack', ['openstack-cloud-controller-manager']],
    ['ovh', ['ovh-cloud-controller-manager']],
    ['f5', ['k8s-bigip-ctlr']],
    ['nsx', ['nsx-ncp']],
    ['vmware', ['ako', 'nsx-ncp']],
    ['rabbitmq', ['rabbitmq-cluster']],
    ['percona', ['percona-postgresql', 'percona-server-mongodb', 'percona-xtradb-cluster']],
    ['hetzner', ['hcloud-cloud-controller-manager']],
    ['oracle', ['oci-cloud-controller-manager']],
  ])('%s is another word for what is known by its own name', (word, names) => {
    expect(explainWord(word).explanations.map((one) => one.word)).toEqual(names);
  });

  test('a part of a name is near to the controllers that have it', () => {
    expect(explainWord('aws').nearest.slice(0, 2)).toEqual(['aws-load-balancer-controller', 'cloud-provider-aws']);
  });

  test('nothing is near to a word of another field', () => {
    expect(explainWord('photosynthesis')).toEqual({ explanations: [], nearest: [], ofPrefix: [] });
  });

  test('an unknown key with the prefix of a controller is misspelt or new', () => {
    expect(explainWord('load-balancer.hetzner.cloud/colour-of-the-cable').ofPrefix).toEqual([
      'hcloud-cloud-controller-manager',
    ]);
  });
});

describe('every word that the library knows is explained', () => {
  const kinds = knownKinds();

  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    'annotations of %s, with source and default',
    (name, kind) => {
      for (const { fact } of kind.catalogue.annotations) {
        for (const key of [fact.key, fact.key.replace(/\{\w+\}/g, '80')]) {
          const meanings = explainWord(key).explanations.filter((one) => one.kind === 'annotation');
          expect([key, meanings.length]).toEqual([key, 1]);
          const part = meanings[0].parts.find(({ who }) => who === name);
          expect(part?.facts.value).toBe(fact.codec.says);
          expect(part?.facts.default).toBe(fact.default || undefined);
          expect(part?.facts.since).toBe(fact.since);
          expect(part?.source).toContain(`${fact.source.repository} ${fact.source.version}, ${fact.source.file}`);
          expect(meanings[0].rules.length).toBeGreaterThan(1);
        }
      }
    },
  );

  test('finalizers', () => {
    const all = kinds.flatMap(({ finalizers, untouchableFinalizers = [] }) => [
      ...finalizers,
      ...untouchableFinalizers,
    ]);
    for (const finalizer of all) {
      const [explanation] = explainWord(finalizer).explanations.filter(({ kind }) => kind === 'finalizer');
      expect(explanation?.rules.map(({ id }) => id)).toContain('finalizer-of-other-controller');
    }
    expect(new Set(all).size).toBeGreaterThan(7);
  });

  test('classes', () => {
    for (const kind of kinds) {
      for (const name of kind.classes) {
        expect(explained(name).parts.map(({ who }) => who)).toContain(kind.name);
      }
    }
  });

  test('controllers and their variants', () => {
    for (const kind of kinds) {
      for (const name of [kind.name, ...Object.keys(kind.variants ?? {}).map((variant) => `${kind.name}:${variant}`)]) {
        expect(explained(name).parts[0].source).toContain(kind.facts.source.repository);
      }
      for (const [variant, make] of Object.entries(kind.variants ?? {})) {
        expect(controllerOf({ name: kind.name, options: VARIANT_OPTIONS[kind.name][variant] })).toEqual(make());
      }
    }
  });
});

describe('the command', () => {
  test('fails with 2 on an unknown word, and names those near to it', () => {
    const { out, error, code } = run('explain', 'service.k8s.aws/nbl');
    expect([out, code]).toEqual(['', 2]);
    expect(error).toContain("'service.k8s.aws/nbl' is not a known finalizer");
    expect(error).toContain('near to it: service.k8s.aws/nlb');
  });

  test('says how a Service is explained where no files are named', () => {
    process.chdir(mkdtempSync(join(tmpdir(), 'nowhere-')));
    const { error, code } = run('explain', 'nowhere/echo');
    expect(code).toBe(2);
    expect(error).toContain(
      'kubectl get services,events --all-namespaces -o yaml | npx cdk8s-load-balancers explain nowhere/echo -',
    );
  });

  test('shows a hostile word as text', () => {
    const { error } = run('explain', '\u001b[31mred\u202e');
    expect(error).toContain('\\u001b[31mred\\u202e');
  });
});

test('nothing but traces is drawn', () => {
  const { code, error } = run('explain', 'service.k8s.aws/nlb', '--format', 'mermaid');
  expect([code, error]).toEqual([2, expect.stringContaining('pass --trace')]);
});
