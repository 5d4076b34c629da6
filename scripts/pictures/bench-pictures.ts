import { readResult } from '../../bench/result';
import { curvesPicture, thousands } from './curves-picture';

/** Ticks of a scale, from a first one to beyond the highest value. */
function ticksFor(values: readonly number[], all: readonly number[]): number[] {
  const first = all.filter((tick) => tick <= Math.min(...values)).at(-1) ?? all[0];
  const last = all.find((tick) => tick >= Math.max(...values)) ?? all[all.length - 1];
  return all.filter((tick) => tick >= first && tick <= last);
}

const PARTS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const MEBIBYTES = [25, 50, 100, 200, 400, 800];

/** The curves of the benchmark. */
export function benchPictures(): Map<string, string> {
  const result = readResult();
  const { sizes, curves } = result;
  const largest = thousands(sizes[sizes.length - 1]);
  return new Map([
    [
      'bench-time.svg',
      curvesPicture(result, {
        title: 'Time of a synth against its size',
        heading: `Time of a synth: 1 is ${curves[0].name} with ${largest} Services`,
        valuesOf: ({ time }) => time,
        ticks: ticksFor(
          curves.flatMap(({ time }) => time),
          PARTS,
        ),
        label: String,
      }),
    ],
    [
      'bench-memory.svg',
      curvesPicture(result, {
        title: 'Memory of a synth against its size',
        heading: 'Memory of the process, in MiB',
        valuesOf: ({ memory }) => memory,
        ticks: ticksFor(
          curves.flatMap(({ memory }) => memory),
          MEBIBYTES,
        ),
        label: String,
      }),
    ],
  ]);
}
