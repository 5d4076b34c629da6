import type { Format } from './format';
import { formatGithub } from './github';
import { formatJson } from './json';
import { formatJunit } from './junit';
import { formatSarif } from './sarif';
import { formatText } from './text';

export type FormatName = 'text' | 'json' | 'sarif' | 'github' | 'junit';

/** How a report can be printed. */
export const FORMATS: Record<FormatName, Format> = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
  junit: formatJunit,
};
