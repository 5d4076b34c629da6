import { isPlain } from './words';

/** The lines of a text; a word that is longer than a line is broken. */
export function wrapped(text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ').flatMap((long) => pieces(long, room))) {
    const last = lines[lines.length - 1];
    const line = last === '' ? word : `${last} ${word}`;
    if (last !== '' && columns(line) > room) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line;
    }
  }
  return lines;
}

function pieces(word: string, room: number): string[] {
  if (columns(word) <= room) {
    return [word];
  }
  const all = [''];
  let used = 0;
  for (const sign of word) {
    const wide = columns(sign);
    if (used + wide > room) {
      all.push('');
      used = 0;
    }
    all[all.length - 1] += sign;
    used += wide;
  }
  return all;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a text takes: emoji and the signs of East Asia take two. */
function columns(text: string): number {
  return isPlain(text) ? text.length : [...text].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);
}
