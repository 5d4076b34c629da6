import { BuildProgress } from '../../scripts/go/build-progress';

class Heard {
  public text = '';

  public constructor(public readonly isTTY: boolean) {}

  public write(text: string): void {
    this.text += text;
  }
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const FIRST = 'building thing: with empty caches this takes about 13 minutes, and later seconds\n';

function reported(isTTY: boolean): string {
  const stream = new Heard(isTTY);
  const progress = new BuildProgress('thing', 13, stream);
  progress.hear('k8s.io/api/core/v1');
  progress.hear('go: downloading k8s.io/api v0.36.3');
  jest.advanceTimersByTime(20_000);
  progress.hear('internal/abi');
  jest.advanceTimersByTime(60_000);
  progress.end();
  jest.advanceTimersByTime(60_000);
  return stream.text;
}

const LINES = [
  'building thing: 20 s, 1 packages compiled, 1 modules downloaded',
  ...['40 s', '1 min 0 s', '1 min 20 s', '1 min 20 s'].map(
    (time) => `building thing: ${time}, 2 packages compiled, 1 modules downloaded`,
  ),
];

test('a log gets a line every 20 s and at the end, and none after it', () => {
  expect(reported(false)).toBe(`${FIRST}${LINES.map((line) => `${line}\n`).join('')}`);
});

test('a terminal gets one line that is written anew', () => {
  expect(reported(true)).toBe(`${FIRST}${LINES.map((line) => `\r\x1b[K${line}`).join('')}\n`);
});

test('where there is nothing to build nothing is reported', () => {
  const stream = new Heard(false);
  const progress = new BuildProgress('thing', 13, stream);
  jest.advanceTimersByTime(60_000);
  progress.end();
  expect(stream.text).toBe('');
});

test.each(['# k8s.io/api', './main.go:3:1: syntax error', 'go: updates to go.mod needed', ''])(
  '"%s" is no progress',
  (line) => {
    const progress = new BuildProgress('thing', 1, new Heard(false));
    expect(progress.hear(line)).toBe(false);
    progress.end();
  },
);
