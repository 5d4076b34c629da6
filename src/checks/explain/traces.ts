import { nearest } from '../../contract/edit-distance';
import type { ReportedService } from '../../later/later';
import type { CheckContext } from '../context/check-context';
import { json } from '../formats/words';
import { traceNamed, traceNames } from './named-traces';
import { namedTraceText, tracedText } from './trace-text';
import { type TracedService, traceService } from './traced-service';

/** How traces are printed. */
type TraceFormat = 'text' | 'json' | 'mermaid';

/** The traces of some Services. */
export function tracesOf(services: readonly ReportedService[], context: CheckContext): TracedService[] {
  return services.map((service) => traceService(service, context));
}

/** The same for people, or as diagrams. */
export function tracesText(traced: readonly TracedService[], format: TraceFormat): string {
  return format === 'mermaid' ? traced.flatMap(diagrams).join('\n') : traced.map(tracedText).join('\n');
}

function diagrams({ namespace, name, traces: found }: TracedService): string[] {
  const title = [namespace, name].filter(Boolean).join('/');
  return found.map(({ owner, outcome, trace }) =>
    trace ? `%% ${title}, ${owner}\n${trace.mermaid}\n` : `%% ${title}, ${owner}: ${outcome}\n`,
  );
}

/** The trace of a name as it is printed; undefined if no trace has it. */
export function namedTrace(word: string, format: TraceFormat): string | undefined {
  const found = traceNamed(word);
  return (
    found &&
    { json: () => json([found]), mermaid: () => `${found.trace.mermaid}\n`, text: () => namedTraceText(found) }[
      format
    ]()
  );
}

/** The trace that a misspelt word is nearest to, if some owner has it. */
export function tracesNear(word: string): string[] {
  const name = nearest(word, traceNames());
  return name !== undefined && traceNamed(name) ? [name] : [];
}
