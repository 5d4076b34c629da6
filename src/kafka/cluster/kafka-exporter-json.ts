import { defined, type Json } from '../../contract/json';
import { componentJson, podOnlyTemplate } from './component-json';
import type { KafkaExporterOptions } from './kafka-exporter-options';

/** The `kafkaExporter` of a cluster; an empty map is enough for it to run. */
export function kafkaExporterJson(options: KafkaExporterOptions): Json {
  const { groupRegex, topicRegex, groupExcludeRegex, topicExcludeRegex, ...others } = options;
  const { logLevel, enableSaramaLogging, showAllOffsets, podTemplate } = others;
  return defined({
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
