import { nearest } from '../../contract/edit-distance';
import type { ReportedService } from '../../later/later';
import type { CheckContext } from '../context/check-context';
import { json } from '../formats/words';
import { traceNamed, traceNames } from './named-traces';
import { namedTraceText, tracedText } from './trace-text';
import { type TracedService, traceService } from './traced-service';

interface Printed {
  readonly json?: boolean;
  readonly mermaid?: boolean;
}

/** The traces of some Services, as they are printed. */
export function traces(services: readonly ReportedService[], context: CheckContext, how: Printed): string {
  const traced = services.map((service) => traceService(service, context));
  if (how.json) {
    return json(traced);
  }
  return how.mermaid ? traced.flatMap(diagrams).join('\n') : traced.map(tracedText).join('\n');
}

function diagrams({ namespace, name, traces: found }: TracedService): string[] {
  const title = [namespace, name].filter(Boolean).join('/');
  return found.map(({ owner, outcome, trace }) =>
    trace ? `%% ${title}, ${owner}\n${trace.mermaid}\n` : `%% ${title}, ${owner}: ${outcome}\n`,
  );
}

/** The trace of a name as it is printed; nothing where no trace has it. */
export function namedTrace(word: string, how: Printed): string | undefined {
  const found = traceNamed(word);
  if (!found) {
    return undefined;
  }
  if (how.json) {
    return json([found]);
  }
  return how.mermaid ? `${found.trace.mermaid}\n` : namedTraceText(found);
}

/** The trace that a misspelt word is nearest to, if some owner has it. */
export function tracesNear(word: string): string[] {
  const name = nearest(word, traceNames());
  return name !== undefined && traceNamed(name) ? [name] : [];
}
