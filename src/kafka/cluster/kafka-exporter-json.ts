import type { Json } from '../../contract/late-rendering';
import { componentJson, podOnlyTemplate } from './component-json';
import type { KafkaExporterOptions } from './kafka-exporter-options';
import { said } from './said-json';

/** The `kafkaExporter` of a cluster; an empty map is enough for it to run. */
export function kafkaExporterJson(options: KafkaExporterOptions): Json {
  const { groupRegex, topicRegex, groupExcludeRegex, topicExcludeRegex, ...others } = options;
  const { logLevel, enableSaramaLogging, showAllOffsets, podTemplate } = others;
  return said({
    ...componentJson(options),
    groupRegex,
    topicRegex,
    groupExcludeRegex,
    topicExcludeRegex,
    logging: logLevel,
    enableSaramaLogging,
    showAllOffsets,
    template: podOnlyTemplate(podTemplate),
  });
}
