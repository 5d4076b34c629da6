import type { Format } from './format';
import { formatGithub } from './github';
import { formatJson } from './json';
import { formatJunit } from './junit';
import { formatSarif } from './sarif';
import { formatText } from './text';

export const FORMATS = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
  junit: formatJunit,
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;
