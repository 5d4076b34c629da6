import type { Content } from '../../src/report/page/markup';
import { element, fitting, rectangle, svgFile, text, WIDTH, widthOf, wrapped } from './canvas';
import type { Moment } from './life-scenes';

// The Service, the finalizer of the owner and the balancer as bars over the steps of a story: a panel for each story.

/** One panel: what happens, and what there is meanwhile. */
export interface LifePanel {
  readonly heading: string;
  readonly moments: readonly Moment[];
  readonly finalizer: string;
  readonly balancer: string;
}

const MARGIN = 16;
const LABEL = MARGIN + 12;
const BARS = { x: 236, width: 456 };
const LANE = 34;
const BAR = 24;
const HEADING = 40;
const NUMBERS = 26;
const LINE = 19;

/** A stretch of steps in which a lane stays as it is. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly label: string;
}

type Kinds = (moment: Moment) => readonly [kind: string, label: string] | undefined;

const SERVICE: Kinds = ({ service }) =>
  service === 'absent' ? undefined : service === 'live' ? ['box', 'live'] : ['warn', 'Terminating'];
const FINALIZER: Kinds = ({ hasFinalizer }) => (hasFinalizer ? ['good', 'held'] : undefined);
const BALANCER: Kinds = ({ balancer }) =>
  balancer === 'absent' ? undefined : balancer === 'served' ? ['box', 'there'] : ['bad', 'orphan'];

/** A picture of some panels, one above the other. */
export function lifePicture(title: string, panels: readonly LifePanel[]): string {
  let top = MARGIN;
  const drawn = panels.map((panel) => {
    const { height, content } = panelOf(panel, top);
    top += height + MARGIN;
    return content;
  });
  return svgFile({ title, description: panels.map(inWords).join(' ') }, top, drawn);
}

function panelOf({ heading, moments, finalizer, balancer }: LifePanel, top: number) {
  const width = BARS.width / moments.length;
  const lanes: readonly (readonly [label: string, lines: readonly string[], kinds: Kinds])[] = [
    ['Service', [], SERVICE],
    ['finalizer', linesOf(finalizer), FINALIZER],
    [balancer, [], BALANCER],
  ];
  const first = top + HEADING + NUMBERS;
  const heights = lanes.map(([, lines]) => LANE + lines.length * 14);
  const tops = heights.map((_, index) => first + heights.slice(0, index).reduce((sum, each) => sum + each, 0));
  const bottom = first + heights.reduce((sum, each) => sum + each, 0);
  const steps = moments.flatMap(({ says }, index) =>
    wrapped(says, WIDTH - 2 * LABEL - 10, false).map((line, part) => [part === 0 ? `${index + 1}` : '', line] as const),
  );
  const content: Content = [
    rectangle(
      { x: MARGIN, y: top, width: WIDTH - 2 * MARGIN, height: bottom - top + 16 + steps.length * LINE },
      'frame',
      8,
    ),
    '\n',
    text(heading, LABEL, top + 26, 'heading'),
    moments.map((_, index) => [
      text(`${index + 1}`, BARS.x + (index + 0.5) * width, top + HEADING + 14, 'note middle'),
      element('path', { class: 'grid', d: `M${Math.round(BARS.x + index * width)} ${first - 4}V${bottom}` }),
      '\n',
    ]),
    lanes.map(([label, lines, kinds], lane) => [
      text(label, LABEL, tops[lane] + 17),
      lines.map((line, index) =>
        text(fitting(line, BARS.x - LABEL, true), LABEL, tops[lane] + 32 + index * 14, 'note'),
      ),
      stretchesOf(moments, kinds).map((stretch) => barOf(stretch, tops[lane], width)),
    ]),
    steps.map(([number, line], index) => [
      number === '' ? '' : text(number, LABEL + 10, bottom + 18 + index * LINE, 'note end'),
      text(line, LABEL + 22, bottom + 18 + index * LINE),
    ]),
  ];
  return { content, height: bottom - top + 16 + steps.length * LINE };
}

/** A name with a domain has a line for each part. */
function linesOf(finalizer: string): string[] {
  return widthOf(finalizer, true) <= BARS.x - LABEL ? [finalizer] : finalizer.split(/(?<=\/)/);
}

function stretchesOf(moments: readonly Moment[], kinds: Kinds): Stretch[] {
  const stretches: Stretch[] = [];
  moments.forEach((moment, index) => {
    const [kind, label] = kinds(moment) ?? [];
    const last = stretches.at(-1);
    if (last?.kind === kind && last?.to === index) {
      stretches[stretches.length - 1] = { ...last, to: index + 1 };
    } else if (kind !== undefined && label !== undefined) {
      stretches.push({ from: index, to: index + 1, kind, label });
    }
  });
  return stretches;
}

/** A bar begins and ends in the middle of the steps that begin and end it. */
function barOf({ from, to, kind, label }: Stretch, top: number, width: number): Content {
  const x = BARS.x + from * width + 3;
  const length = (to - from) * width - 6;
  const said = widthOf(label, false) <= length ? label : '';
  return [
    rectangle({ x, y: top, width: length, height: BAR }, kind, 4),
    '\n',
    said === '' ? '' : text(said, x + length / 2, top + 16.5, 'middle'),
  ];
}

function inWords({ heading, moments, finalizer, balancer }: LifePanel): string {
  const steps = moments.map(({ says, service, hasFinalizer, balancer: there }, index) => {
    const state = [
      service === 'absent' ? 'no Service' : `the Service is ${service === 'live' ? 'live' : 'in Terminating'}`,
      hasFinalizer ? `with ${finalizer}` : 'without a finalizer of its owner',
      there === 'absent'
        ? `no ${balancer}`
        : there === 'served'
          ? `the ${balancer} is there`
          : `the ${balancer} is an orphan`,
    ];
    return `${index + 1}. ${says}: ${(service === 'absent' ? [state[0], state[2]] : state).join(', ')}.`;
  });
  return `${heading}. ${steps.join(' ')}`;
}
