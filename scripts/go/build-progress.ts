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

/** Says from time to time how far `go build -v` has come, from the lines that it prints. */
export class BuildProgress {
  private readonly begin = Date.now();
  private readonly timer: NodeJS.Timeout;
  private packages = 0;
  private modules = 0;
  private isLineOpen = false;

  public constructor(
    private readonly name: string,
    minutes: number,
    private readonly stream: ProgressStream = process.stderr,
  ) {
    stream.write(
      `building ${name}: with empty caches this takes about ${minutes} minutes, and it happens once for these sources\n`,
    );
    this.timer = setInterval(() => this.tell(), INTERVAL);
  }

  /** Whether a line of go's was of progress, and of nothing else. */
  public hear(line: string): boolean {
    if (DOWNLOAD.test(line)) {
      this.modules++;
      return true;
    }
    if (PACKAGE.test(line)) {
      this.packages++;
      return true;
    }
    return false;
  }

  /** Ends it, with a last line where there was a build worth the name. */
  public end(isBuilt: boolean): void {
    clearInterval(this.timer);
    if (isBuilt) {
      this.tell();
    }
    if (this.isLineOpen) {
      this.stream.write('\n');
    }
  }

  private tell(): void {
    const counts = `${this.packages} packages compiled, ${this.modules} modules downloaded`;
    const line = `building ${this.name}: ${elapsed(Date.now() - this.begin)}, ${counts}`;
    this.isLineOpen = this.stream.isTTY === true;
    this.stream.write(this.isLineOpen ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
