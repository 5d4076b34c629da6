import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './support/command';
import { runExample } from './support/examples';

// An app is a folder that is rendered first: with the context that its constructs know, `check` of its output finds what its synth
// finds. A rule that only one of the two can judge is listed with its row.

interface Row {
  readonly context: string;
  readonly onlySynth?: readonly string[];
  readonly onlyCheck?: readonly string[];
}

const AWS = 'controllers: [aws-load-balancer-controller, cloud-provider-aws]';

const ROWS: Readonly<Record<string, Row>> = {
  aks: {
    context: `clusters:
  - { name: standard, controllers: [{ name: cloud-provider-azure, sku: standard }], sources: [{ files: [aks-standard.k8s.yaml] }] }
  - { name: several, controllers: [{ name: cloud-provider-azure, sku: multipleStandard }], sources: [{ files: [aks-multiple.k8s.yaml] }] }
  - { name: basic, controllers: [{ name: cloud-provider-azure, sku: basic }], sources: [{ files: [aks-basic.k8s.yaml] }] }`,
    // acknowledged in the app, which its output does not show
    onlyCheck: ['azure-basic-retired'],
  },
  eks: { context: AWS },
  'eks-adopted': { context: AWS },
  'pinned-elsewhere': {
    context: `clusters:
  - { name: gke, controllers: [gke], sources: [{ files: [gke.k8s.yaml] }] }
  - { name: hetzner, controllers: [hcloud-cloud-controller-manager], sources: [{ files: [hetzner.k8s.yaml] }] }
  - { name: metal, controllers: [metallb], sources: [{ files: [metal.k8s.yaml] }] }`,
    // other advertisements of the pool may be in the cluster: in files they are not
    onlySynth: ['metallb-other-advertisements'],
  },
  'kafka-on-eks': { context: `${AWS}\nstrimzi: '1.2'` },
  'kafka-behind-a-gateway': { context: "strimzi: '1.2'" },
  tenants: { context: AWS },
  // acknowledged in the app, which its output does not show
  platform: { context: `${AWS}\nstrimzi: '1.2'`, onlyCheck: ['strimzi-crds-missing'] },
};

/** The rule ids of warnings that a synth prints: the last word of a line, in parentheses. */
const idsOfSynth = (said: string) => [...said.matchAll(/ {2}\(([a-z0-9-]+)\)$/gm)].map(([, id]) => id);
const idsOfCheck = (out: string) =>
  (JSON.parse(out) as { findings: { level: string; ruleId: string }[] }).findings
    .filter(({ level }) => level !== 'note')
    .map(({ ruleId }) => ruleId);
const without = (all: readonly string[], others: readonly string[]) =>
  [...new Set(all)].filter((one) => !others.includes(one)).sort();

test.each(Object.entries(ROWS))('%s', (example, { context, onlySynth = [], onlyCheck = [] }) => {
  const { files, said } = runExample(example);
  expect(Object.keys(files)).not.toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'app-'));
  try {
    for (const [file, yaml] of Object.entries({ ...files, 'load-balancers.yaml': `${context}\n` })) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), yaml);
    }
    const { out, code } = run('check', folder, '--format', 'json');
    expect(code).toBe(0);
    const [synth, checked] = [idsOfSynth(said), idsOfCheck(out)];
    expect(without(synth, checked)).toEqual(onlySynth);
    expect(without(checked, synth)).toEqual(onlyCheck);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
