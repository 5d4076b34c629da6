import fc from 'fast-check';
import { markdownText } from '../../src/report/document';
import { mermaidLabel } from '../../src/report/formats';
import { tries } from '../support/random';
import { AWS_CLASS, controllers, deployment, nodes, objects, pods, reportOn, service } from './reported';

const AWS = controllers('aws-load-balancer-controller');
const whole = { ...AWS, ...objects(nodes('a1 a2 b1'), pods('a1 a2 a2'), service(AWS_CLASS)) };

const BOX = /^ {2}[a-z]+\d*\["[^"\n<>`]+"\]$/;
const ARROW = /^ {2}[a-z]+\d* -->(\|"[^"\n<>`|]+"\|)? [a-z]+\d*$/;

function faultsOf(markdown: string): string[] {
  const charts = [...markdown.matchAll(/```mermaid\n(.*?)\n```/gs)].map(([, chart]) => chart.split('\n'));
  return charts.flatMap(([first, ...lines]) => {
    const ids = lines.filter((line) => BOX.test(line)).map((line) => line.trim().split('[')[0]);
    const ends = lines
      .filter((line) => ARROW.test(line))
      .flatMap((line) => [line.trim().split(' ')[0], line.split(' ').at(-1) ?? '']);
    return [
      ...(first === 'flowchart LR' ? [] : [first]),
      ...lines.filter((line) => !BOX.test(line) && !ARROW.test(line)),
      ...ids.filter((id, index) => ids.indexOf(id) !== index),
      ...ends.filter((end) => !ids.includes(end)),
    ];
  });
}

describe('JSON', () => {
  const json = JSON.parse(reportOn(whole, '--format', 'json', '--what-if', 'local').out);

  test('has every figure with its terms', () => {
    const [path] = json.paths;
    expect(path.path.shares.pods.map(({ exact }: { exact: string }) => exact)).toEqual(['1/3', '1/3', '1/3']);
    expect(path.alternatives[0].path.shares.pods[0].terms).toEqual(['1/2 through node a1, its own pods × 1']);
    expect(json.bill.amounts).toEqual({ USD: '16.425' });
    expect(json.owners[0]).toMatchObject({ owner: 'aws-load-balancer-controller', balancers: 1, amount: 'USD 16.43' });
  });

  test('has what is made of a balancer, and not its whole manifest', () => {
    expect(json.balancers[0].made.product).toBe('aws/nlb');
    expect(json.balancers[0].service).toBeUndefined();
  });
});

describe('Markdown', () => {
  test('has a flowchart with the shares on its arrows', () => {
    const { out } = reportOn(whole, '--format', 'markdown');
    expect(out).toContain('  balancer -->|"50 %"| node2');
    expect(out).toContain('  proxy -->|"33.3 %"| pod0');
    expect(out.match(/```mermaid/g)).toHaveLength(1);
    expect(faultsOf(out)).toEqual([]);
  });

  test('shows where connections end that no pod answers', () => {
    const files = { ...AWS, ...objects(nodes('n1'), pods('n1').replace("'True'", "'False'"), service(AWS_CLASS)) };
    expect(reportOn(files, '--format', 'markdown').out).toContain('balancer -->|"100 %"| dropped');
  });

  test('a large cluster is drawn in part, and told in full as sums', () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`).join(' ');
    const { out } = reportOn(
      { ...AWS, ...objects(nodes(names), deployment(80), service(AWS_CLASS)) },
      '--format',
      'markdown',
    );
    expect(out).toContain('nodes["28 more nodes"]');
    expect(out).toContain('balancer -->|"70 %"| nodes');
    expect(out).toContain('proxy -->|"85 %"| pods');
    expect(faultsOf(out)).toEqual([]);
  });

  test('names of third parties are no markup', () => {
    const wrong = service(AWS_CLASS, { name: '"</td><script>|`[x](y)`@team http://a"' });
    const { out } = reportOn({ ...AWS, ...objects(nodes('n1'), pods('n1'), wrong) }, '--format', 'markdown');
    expect(out).not.toMatch(/<|@team|http:\/\/|\[x\]/);
  });

  test('any label parses, and any text is in one cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(mermaidLabel(text)).toMatch(/^"[^"\n<>`|\\]+"$/);
        expect(markdownText(text)).not.toMatch(/[\n\r|<>`]/);
      }),
    );
  });
});

test('whatever the numbers are, no format has one that is none', () => {
  const numbers = fc.record({
    zones: fc.integer({ min: 1, max: 9999 }),
    gb: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true, max: 1e15 }),
    connections: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true, max: 1e15 }),
    replicas: fc.integer({ min: 0, max: 30 }),
    on: fc.integer({ min: 1, max: 5 }),
    format: fc.constantFrom('text', 'json', 'markdown', 'html'),
  });
  fc.assert(
    fc.property(numbers, ({ zones, gb, connections, replicas, on, format }) => {
      const names = Array.from({ length: on }, (_, index) => `${'abc'[index % 3]}${index}`).join(' ');
      const files = { ...AWS, ...objects(nodes(names), deployment(replicas), service(AWS_CLASS)) };
      const figures = ['--zones', `${zones}`, '--gb-per-month', `${gb}`, '--connections', `${connections}`];
      const ways = ['local', 'cluster', 'ip', 'pinned', 'spread'].flatMap((way) => ['--what-if', way]);
      const { out, code } = reportOn(files, ...figures, ...ways, '--format', format);
      expect(code).toBe(0);
      expect(out).not.toMatch(/\b(NaN|Infinity|undefined)\b|\[object|: null/);
    }),
    { numRuns: tries(60) },
  );
});

test('a page and JSON of files alone have the path, the cost and the findings', () => {
  const files = { ...AWS, ...objects(service(`${AWS_CLASS}\n  loadBalancerSourceRanges: [10.0.0.300/8]`)) };
  const text = reportOn(files, '--format', 'html')
    .out.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toMatch(/Path client → Network Load Balancer/);
  expect(text).toMatch(/USD 16\.43/);
  expect(text).toMatch(/Service shop\/web error .*10\.0\.0\.300/);
  const { findings } = JSON.parse(reportOn(files, '--format', 'json').out);
  const place = expect.stringMatching(/k8s\.yaml:\d+$/);
  expect(findings[0]).toMatchObject({ level: 'error', object: 'Service shop/web', place });
});

test('a report of owners that are guessed ends with what to write', () => {
  const guessed = service('', { annotations: '{load-balancer.hetzner.cloud/location: fsn1}' });
  expect(reportOn(objects(guessed)).out).toMatch(/\n\nthis rests on a guess of the cluster; .*check --init\)\n$/);
  expect(reportOn(whole).out).not.toContain('guess');
});
