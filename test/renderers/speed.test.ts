import childProcess from 'node:child_process';
import { type FileTexts, Folder } from '../checks/diff/repository';
import { PLATFORM, said } from './harness';

const OVERLAYS = 50;
const CHARTS = 10;

/** Overlays of one base, and charts, of the platform repository; a cluster for each five of the overlays. */
function repository(): FileTexts {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  const shared = Object.entries(PLATFORM).filter(([file]) => /^(base|components)\//.test(file));
  const overlays = numbers(OVERLAYS).map((i) => [
    `overlays/o${i}/kustomization.yaml`,
    `namespace: team-${i}\nresources: [../../base/edge, ../../base/mail]\ncomponents: [../../components/aws-internal]\nconfigMapGenerator: [{ name: settings, literals: [team=${i}] }]\n`,
  ]);
  const charts = numbers(CHARTS).flatMap((i) =>
    Object.entries(PLATFORM)
      .filter(([file]) => file.startsWith('charts/shop/'))
      .map(([file, text]) => [file.replace('shop', `shop-${i}`), text.replace('name: shop\n', `name: shop-${i}\n`)]),
  );
  const clusters = numbers(CHARTS).map(
    (i) => `  - name: cluster-${i}
    controllers: [aws-load-balancer-controller, cloud-provider-aws]
    sources:
${numbers(OVERLAYS / CHARTS)
  .map((j) => `      - kustomize: overlays/o${i * (OVERLAYS / CHARTS) + j}\n`)
  .join('')}      - helm: { chart: charts/shop-${i}, namespace: shop }
`,
  );
  return {
    ...Object.fromEntries([...shared, ...overlays, ...charts]),
    'load-balancers.yaml': `clusters:\n${clusters.join('')}`,
  };
}

test('most of the time of a check is that of the renderers, one after the other', () => {
  const folder = new Folder(repository());
  const { spawnSync } = childProcess;
  let inRenderers = 0;
  let runs = 0;
  const spy = jest.spyOn(childProcess, 'spawnSync').mockImplementation(((...args: Parameters<typeof spawnSync>) => {
    const start = performance.now();
    const result = spawnSync(...args);
    inRenderers += performance.now() - start;
    runs += 1;
    return result;
  }) as typeof spawnSync);
  const start = performance.now();
  const { out, code } = said(folder, ['check', '--format', 'json']);
  const share = inRenderers / (performance.now() - start);
  spy.mockRestore();
  expect([code, runs]).toEqual([0, OVERLAYS + CHARTS]);
  expect(JSON.parse(out).summary.objects).toBe(OVERLAYS * 7 + CHARTS * 2);
  process.stdout.write(`  ${Math.round(share * 100)} % of a check in ${runs} runs of renderers\n`);
  expect(share).toBeGreaterThan(0.6);
});
