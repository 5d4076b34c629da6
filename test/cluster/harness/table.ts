/** Characters of the last column before it goes on in the next line. */
const LAST_COLUMN = 88;

/** Rows under a heading, in columns as wide as their widest cell; the last column is wrapped. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.flatMap(wrapped);
  const widths = heading.map((name, column) => Math.max(name.length, ...lines.map((line) => line[column].length)));
  const write = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  return [write(heading), widths.map((width) => '-'.repeat(width)).join('  '), ...lines.map(write)].join('\n');
}

/** The same as Markdown. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const write = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [write(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(write)].join('\n');
}

function wrapped(row: readonly string[]): string[][] {
  const first = row.slice(0, -1);
  const [head, ...rest] = lines(row[row.length - 1]);
  return [[...first, head], ...rest.map((line) => [...first.map(() => ''), line])];
}

function lines(text: string): string[] {
  const all = [''];
  for (const word of text.split(' ')) {
    const last = all[all.length - 1];
    if (last && last.length + word.length >= LAST_COLUMN) {
      all.push(word);
    } else {
      all[all.length - 1] = last ? `${last} ${word}` : word;
    }
  }
  return all;
}

/** Two tables of as many rows beside each other: their steps are the same, so only the first shows them. */
export function sideBySide(titles: readonly string[], tables: readonly (readonly (readonly string[])[])[]): string {
  const [first] = tables;
  const heading = ['', ...titles];
  const rows = first.map(([step], index) => [
    step,
    ...tables.map((each) => {
      const [, finalizers, balancers, verdict] = each[index];
      return `${finalizers}, ${balancers} in the ledger${verdict ? `: ${verdict}` : ''}`;
    }),
  ]);
  return table(heading, rows);
}
