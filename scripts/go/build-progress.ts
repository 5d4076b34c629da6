/** Between two lines of progress, in ms. */
const INTERVAL = 20_000;

/** Where progress goes. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const DOWNLOAD = /^go: downloading \S+ \S+$/;
const PACKAGE = /^[\w.~@+-]+(\/[\w.~@+-]+)*$/;

function elapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Reports from time to time how far `go build -v` has come, from the lines that it prints; nothing where it has nothing to do. */
export class BuildProgress {
  private readonly begin = Date.now();
  private readonly timer: NodeJS.Timeout;
  private packages = 0;
  private modules = 0;
  private isLineOpen = false;

  public constructor(
    private readonly name: string,
    private readonly minutes: number,
    private readonly stream: ProgressStream = process.stderr,
  ) {
    this.timer = setInterval(() => this.report(), INTERVAL);
  }

  /** Whether a line of go's was of progress, and of nothing else. */
  public hear(line: string): boolean {
    const isModule = DOWNLOAD.test(line);
    if (!isModule && !PACKAGE.test(line)) {
      return false;
    }
    if (this.modules + this.packages === 0) {
      const { name, minutes } = this;
      this.stream.write(`building ${name}: with empty caches this takes about ${minutes} minutes, and later seconds\n`);
    }
    this[isModule ? 'modules' : 'packages']++;
    return true;
  }

  /** Ends it, with a last line where something was built. */
  public end(): void {
    clearInterval(this.timer);
    this.report();
    if (this.isLineOpen) {
      this.stream.write('\n');
    }
  }

  private report(): void {
    if (this.modules + this.packages === 0) {
      return;
    }
    const counts = `${this.packages} packages compiled, ${this.modules} modules downloaded`;
    const line = `building ${this.name}: ${elapsed(Date.now() - this.begin)}, ${counts}`;
    this.isLineOpen = this.stream.isTTY === true;
    this.stream.write(this.isLineOpen ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
