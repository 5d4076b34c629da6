/** The number of letters that differ between two texts, or at least that many if one is far longer. */
export function editDistance(a: string, b: string): number {
  const longer = Math.abs(a.length - b.length);
  if (longer > FAR) {
    return longer;
  }
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

const FAR = 20;

/** Whether a name is another one with a slip of the hand, or in the case of another language. */
function isLike(name: string, other: string): boolean {
  const [a, b] = [lettersOf(name), lettersOf(other)];
  return a === b || (a.length > 3 && editDistance(a, b) <= (a.length > 7 ? 2 : 1));
}

/** The name that another one is like: one of the same letters before all others. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => lettersOf(one) === lettersOf(name)) ?? names.find((one) => isLike(name, one));
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
