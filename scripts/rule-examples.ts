// Writes what `explain RULE` prints of the examples in src/rules/examples.
import { writeGenerated } from './docs/files';
import { RULE_EXAMPLES, ruleExamplesFile } from './docs/rule-examples';

writeGenerated(new Map([[RULE_EXAMPLES, ruleExamplesFile()]]), []);
