import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JsonPatch } from 'cdk8s';
import { StrimziVersion } from '../../../src/kafka';
import type { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import { BY_NAME, BY_PORT, lockedApp, quietly } from './tenant-apps';

// Manifests as they stand in public repositories are no part of this project. Whoever has some names their folder:
// LOAD_BALANCER_CORPUS=FOLDER npx jest test/tenancy/manifests/corpus.test.ts
const CORPUS = process.env.LOAD_BALANCER_CORPUS;
const SHARED = /^\s*-?\s*type: *["']?(LoadBalancer|loadbalancer)\b/m;
const RULE = / \(([a-z0-9-]+)\)(?=\n|$)/g;
const outcomes = new Map<string, string[]>();

function withoutVersion({ apiObjects }: TenantManifests): void {
  const path = '/spec/kafka/version';
  for (const object of apiObjects.filter(({ kind, apiGroup }) => kind === 'Kafka' && apiGroup !== 'core')) {
    object.addJsonPatch(JsonPatch.add(path, 'any'), JsonPatch.remove(path));
  }
}

function outcomeOf(file: string, engine: typeof BY_PORT): string {
  const text = readFileSync(file, 'utf8');
  const strimzi = /kafka\.strimzi\.io\/v1\s*$/m.test(text) ? StrimziVersion.V1_2 : StrimziVersion.V0_45;
  const namespace = /^ +namespace: *["']?([\w-]+)/m.exec(text)?.[1] ?? 'team-a';
  try {
    const ask = {
      url: file,
      balancer: { engine },
      kafka: { strimzi },
      namespace,
      bare: true,
      tenant: namespace,
      change: withoutVersion,
    };
    const { app, chart, manifests } = lockedApp(ask);
    quietly(() => app.synthYaml());
    const services = chart.toJson().filter(({ kind }) => kind === 'Service');
    expect(services.filter(({ spec }) => spec.type === 'LoadBalancer')).toEqual([]);
    const listeners = chart.toJson().flatMap(({ kind, spec }) => (kind === 'Kafka' ? spec.kafka.listeners : []));
    expect(listeners.filter(({ type }) => type === 'loadbalancer')).toEqual([]);
    expect(manifests.endpoints.length).toBeGreaterThan(0);
    return 'adopted';
  } catch (error) {
    const { message } = error as Error;
    const rules = [...new Set([...message.matchAll(RULE)].map(([, rule]) => rule))];
    if (rules.length === 0) {
      throw error;
    }
    return rules.join(', ');
  }
}

const FOLDER = CORPUS ?? join(__dirname, '..', '..', '..', 'examples', 'tenants');
const files = readdirSync(FOLDER).filter((file) => SHARED.test(readFileSync(join(FOLDER, file), 'utf8')));

test.each(files)('%s', (file) => {
  for (const [name, engine] of Object.entries({ 'by port': BY_PORT, 'by name': BY_NAME })) {
    const outcome = `${name}: ${outcomeOf(join(FOLDER, file), engine)}`;
    outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), file]);
  }
});

afterAll(() => {
  const lines = [...outcomes]
    .sort()
    .map(([outcome, of]) => `${String(of.length).padStart(4)}  ${outcome}  ${of.join(' ')}`);
  if (CORPUS !== undefined) {
    process.stdout.write(`${lines.join('\n')}\n`);
  }
});
