import { type FileTexts, Folder } from '../cli/diff/repository';
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

/** A renderer that logs when it began and ended, in milliseconds. */
function logged(program: string | undefined, log: string): string {
  const now = '/bin/date +%s%3N';
  return `begin=$(${now}); "${program}" "$@"; code=$?; echo "$begin $(${now})" >> ${log}; exit $code`;
}

test('at most two renderers run at once, and most of the time of a check is theirs', () => {
  const folder = new Folder({ ...repository(), 'runs.log': '' });
  const { KUSTOMIZE, HELM } = process.env;
  const log = `${folder.path}/runs.log`;
  const programs = { kustomize: logged(KUSTOMIZE, log), helm: logged(HELM, log) };
  const start = performance.now();
  const { out, code } = said(folder, ['check', '--format', 'json'], programs);
  const whole = performance.now() - start;
  const runs = folder
    .read('runs.log')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  expect([code, runs.length]).toEqual([0, OVERLAYS + CHARTS]);
  expect(JSON.parse(out).summary.objects).toBe(OVERLAYS * 7 + CHARTS * 2);
  const running = (time: number) => runs.filter(([begin, end]) => begin <= time && time < end).length;
  const [first] = runs.map(([begin]) => begin).sort();
  const last = Math.max(...runs.map(([, end]) => end));
  const milliseconds = Array.from({ length: last - first }, (_, i) => running(first + i));
  expect(Math.max(...milliseconds)).toBe(2);
  const share = milliseconds.filter((count) => count > 0).length / whole;
  process.stdout.write(`  ${Math.round(share * 100)} % of a check of ${Math.round(whole)} ms in renderers\n`);
  expect(share).toBeGreaterThan(0.8);
});
