import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import type { AllowedClass } from './allowed-class';
import type { PropFault } from './refuse';

/** What is wrong with the name of a class. */
export function classFault(loadBalancerClass: string): PropFault | undefined {
  const fault = labelKeyFault(loadBalancerClass);
  return fault
    ? { ruleId: 'allowed-class', what: `class ${fault}`, remedy: 'write it like example.com/shared' }
    : undefined;
}

/** What is wrong with a class that stands in a label as well. */
export function labelFault(key: string, value: string): PropFault | undefined {
  const fault = labelKeyFault(key) ?? labelValueFault(value);
  return fault ? { ruleId: 'class-label', what: `label ${fault}`, remedy: 'write a label of Services' } : undefined;
}

/** What is wrong with some classes together. */
export function classesFault(classes: readonly AllowedClass[]): PropFault | undefined {
  const names = classes.map(({ loadBalancerClass }) => loadBalancerClass);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return (
    classes.map(({ _fault }) => _fault).find((fault) => fault) ??
    (twice === undefined
      ? undefined
      : {
          ruleId: 'allowed-class',
          what: `class ${twice} is allowed twice`,
          remedy: 'say everything about it in one AllowedClass',
        })
  );
}
