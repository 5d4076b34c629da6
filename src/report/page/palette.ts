/** The colours of a page, by what they are for. */
export interface Palette {
  readonly page: string;
  readonly card: string;
  readonly ink: string;
  /** What is said beside the point. */
  readonly muted: string;
  readonly line: string;
  /** Borders and arrows that a picture needs. */
  readonly edge: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly good: string;
  readonly goodSoft: string;
  readonly warn: string;
  readonly warnSoft: string;
  readonly bad: string;
  readonly badSoft: string;
}

export const LIGHT: Palette = {
  page: '#f4f6f9',
  card: '#ffffff',
  ink: '#1b2430',
  muted: '#556070',
  line: '#d9dfe7',
  edge: '#7b8798',
  accent: '#1f5fae',
  accentSoft: '#e6effa',
  good: '#1b6b45',
  goodSoft: '#e2f2e9',
  warn: '#805200',
  warnSoft: '#fcf0d6',
  bad: '#a8281f',
  badSoft: '#fce7e5',
};

export const DARK: Palette = {
  page: '#11151b',
  card: '#1a2029',
  ink: '#e7ebf1',
  muted: '#a6b0be',
  line: '#313a47',
  edge: '#76839a',
  accent: '#84b4f7',
  accentSoft: '#1e2f49',
  good: '#7bcfa0',
  goodSoft: '#17332a',
  warn: '#ecc06a',
  warnSoft: '#382c12',
  bad: '#ff9d93',
  badSoft: '#42211f',
};

type Pair = readonly [front: keyof Palette, back: keyof Palette];

/** Which colours are read on which. */
export const TEXT_PAIRS: readonly Pair[] = [
  ...(['page', 'card', 'accentSoft', 'goodSoft', 'warnSoft', 'badSoft'] as const).flatMap((back): Pair[] => [
    ['ink', back],
    ['muted', back],
  ]),
  ['accent', 'page'],
  ['accent', 'card'],
  ['accent', 'accentSoft'],
  ['good', 'card'],
  ['good', 'goodSoft'],
  ['warn', 'card'],
  ['warn', 'warnSoft'],
  ['bad', 'card'],
  ['bad', 'badSoft'],
];

/** Which colours are told apart in pictures, and where the focus is. */
export const SHAPE_PAIRS: readonly Pair[] = [
  ['edge', 'card'],
  ['accent', 'card'],
  ['accent', 'page'],
  ['good', 'card'],
  ['warn', 'card'],
  ['bad', 'card'],
];

/** The colours as variables of a style sheet. */
export function variablesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}
