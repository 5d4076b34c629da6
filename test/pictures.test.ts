import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { filesIn, ROOT } from '../scripts/docs/files';
import { fitting, svgFile } from '../scripts/pictures/canvas';
import { PICTURES_FOLDER, pictures } from '../scripts/pictures/pictures';

const MOST_BYTES = 15_000;

const drawn = pictures();

/** The picture as a tree; markup that is not well-formed is an error. */
function parsed(svg: string) {
  const onError = (_level: string, message: string) => {
    throw new Error(message);
  };
  return new DOMParser({ onError }).parseFromString(svg, 'image/svg+xml');
}

test('every SVG of the docs is drawn by `npm run docs:pictures`', () => {
  expect(filesIn(PICTURES_FOLDER, '.svg')).toEqual(
    [...drawn.keys()].map((name) => `${PICTURES_FOLDER}/${name}`).sort(),
  );
});

describe.each([...drawn])('%s', (name, svg) => {
  test('is what the script draws', () => {
    expect(readFileSync(join(ROOT, PICTURES_FOLDER, name), 'utf8')).toBe(svg);
  });

  test('is small, and alike each time', () => {
    expect(Buffer.byteLength(svg)).toBeLessThan(MOST_BYTES);
    expect(pictures().get(name)).toBe(svg);
  });

  test('has a title and a description, which screen readers say', () => {
    const root = parsed(svg).documentElement;
    const said = ['title', 'desc'].map((tag) => root?.getElementsByTagName(tag)[0]);
    expect(root?.getAttribute('role')).toBe('img');
    expect(root?.getAttribute('aria-labelledby')).toBe(said.map((each) => each?.getAttribute('id')).join(' '));
    expect(said.map((each) => (each?.textContent ?? '').length > 20)).toEqual([true, true]);
  });

  test('has its own colours for dark pages, and asks for nothing from elsewhere', () => {
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|href|url\(|@import|<script|<foreignObject/,
    );
  });
});

test('names that are markup are texts', () => {
  const root = parsed(svgFile({ title: '<script>', description: `"]]>&'` }, 10)).documentElement;
  expect(root?.getElementsByTagName('title')[0]?.textContent).toBe('<script>');
  expect(root?.getElementsByTagName('script').length).toBe(0);
});

test('a text that has no place is an error, and not drawn beyond its box', () => {
  expect(() => fitting('a text that is much too long', 60, false)).toThrow(
    "no place for 'a text that is much too long'",
  );
});

describe('what pictures say comes from the library', () => {
  const descriptionOf = (name: string) =>
    parsed(drawn.get(name) ?? '').documentElement?.getElementsByTagName('desc')[0]?.textContent ?? '';

  test.each([
    ['ip-targets.svg', 'they end in: site-1 (33 %'],
    ['instance-targets.svg', 'kube-proxy sends 67 % on to another node'],
    ['story-traffic-policy.svg', 'nginx-3 (50 %'],
    ['story-node-pool.svg', 'no pod answers (100 %, dropped)'],
    ['story-finalizers.svg', 'whatever its class: no Service, the Network Load Balancer is an orphan.'],
    ['story-cleanup.svg', 'with service.kubernetes.io/load-balancer-cleanup, no load balancer. 8.'],
    [
      'story-cleanup.svg',
      'in Terminating, with service.kubernetes.io/load-balancer-cleanup, the address of MetalLB is there.',
    ],
    ['tenants-before.svg', '3 Network Load Balancers'],
    ['tenants-after.svg', 'Service team-b/queue at ports 5671, 5672'],
  ])('%s: %s', (name, words) => {
    expect(descriptionOf(name)).toContain(words);
  });
});
