import type { Curve, Curves } from '../../bench/result';
import type { Content } from '../../src/report/page/markup';
import { element, rectangle, round, svgFile, text, WIDTH, widthOf } from './canvas';

// Curves over sizes, with both scales logarithmic: what grows as its size does is a straight line.

const MARGIN = 16;
const HEADING = 40;
const PLOT = { x: 76, y: 66, width: 480, height: 250 };
const LEGEND = 572;
/** Names of curves beside their ends are so far apart at least. */
const APART = 18;
const HEIGHT = 386;

/** What is drawn of each curve. */
export interface Axis {
  readonly title: string;
  /** What the values are. */
  readonly heading: string;
  readonly valuesOf: (curve: Curve) => readonly number[];
  /** Where the scale has lines, in order: the values lie between the first and the last. */
  readonly ticks: readonly number[];
  readonly label: (value: number) => string;
}

/** The part of the way from the first to the last of some values, on a logarithmic scale. */
function part(value: number, ends: readonly number[]): number {
  const [first, last] = [ends[0], ends[ends.length - 1]];
  return Math.log(value / first) / Math.log(last / first);
}

export function curvesPicture({ sizes, curves }: Curves, axis: Axis): string {
  const { title, heading, valuesOf, ticks, label } = axis;
  const x = (size: number) => PLOT.x + PLOT.width * part(size, sizes);
  const y = (value: number) => PLOT.y + PLOT.height * (1 - part(value, ticks));
  const outside = curves.flatMap((curve) =>
    valuesOf(curve).filter((value) => value < ticks[0] || value > ticks[ticks.length - 1]),
  );
  if (outside.length > 0) {
    throw new Error(`${title}: ${outside.join(', ')} beyond the scale; give it other ticks`);
  }
  const bottom = PLOT.y + PLOT.height;
  const names = placed(curves.map((curve) => y(valuesOf(curve).at(-1) ?? 1)));
  const content: Content = [
    rectangle({ x: MARGIN, y: MARGIN, width: WIDTH - 2 * MARGIN, height: HEIGHT - 2 * MARGIN }, 'frame', 8),
    '\n',
    text(heading, MARGIN + 12, MARGIN + HEADING - 14, 'heading'),
    ticks.map((tick) => [
      element('path', { class: 'grid', d: `M${PLOT.x} ${round(y(tick))}h${PLOT.width}` }),
      text(label(tick), PLOT.x - 8, y(tick) + 4, 'note end'),
    ]),
    sizes.map((size) => [
      element('path', { class: 'grid', d: `M${round(x(size))} ${PLOT.y}v${PLOT.height}` }),
      text(thousands(size), x(size), bottom + 18, 'note middle'),
    ]),
    text('Services in one chart', PLOT.x + PLOT.width / 2, bottom + 38, 'note middle'),
    curves.map((curve, index) => [
      element('path', {
        class: `curve stroke-${index}`,
        d: valuesOf(curve)
          .map((value, at) => `${at === 0 ? 'M' : 'L'}${round(x(sizes[at]))} ${round(y(value))}`)
          .join(''),
      }),
      valuesOf(curve).map((value, at) =>
        element('circle', { class: `dot-${index}`, cx: round(x(sizes[at])), cy: round(y(value)), r: 3.5 }),
      ),
      '\n',
      element('circle', { class: `dot-${index}`, cx: LEGEND, cy: round(names[index]), r: 4 }),
      text(named(curve.name), LEGEND + 10, names[index] + 4.5),
    ]),
  ];
  const description = curves
    .map(
      (curve) =>
        `${curve.name}: ${valuesOf(curve)
          .map((value, at) => `${label(value)} for ${thousands(sizes[at])}`)
          .join(', ')}.`,
    )
    .join(' ');
  return svgFile({ title, description: `${heading}. ${description}` }, HEIGHT, content);
}

function named(name: string): string {
  if (LEGEND + 10 + widthOf(name, false) > WIDTH - MARGIN) {
    throw new Error(`no place for '${name}' beside its curve`);
  }
  return name;
}

/** Heights of names: near the ends of their curves, and apart from each other. */
function placed(heights: readonly number[]): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((one, other) => one.height - other.height);
  const all = [...heights];
  order.forEach(({ index }, place) => {
    if (place > 0) {
      all[index] = Math.max(all[index], all[order[place - 1].index] + APART);
    }
  });
  return all;
}

export function thousands(size: number): string {
  return String(size).replace(/\B(?=(\d{3})+$)/g, ',');
}
