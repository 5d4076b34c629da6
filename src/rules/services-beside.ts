import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import { lookAt } from './judge-object';
import { identityOf } from './judged-object';
import { perMoment } from './per-moment';
import type { RuleContext } from './rule-context';
import { SynthWatch } from './synth-watch';

/** The Services of an app by name; what is judged is looked at there. */
const SERVICES = perMoment((root): ReadonlyMap<string, readonly ApiObject[]> => {
  const found = new Map<string, ApiObject[]>();
  for (const object of root.node.findAll()) {
    if (ApiObject.isApiObject(object) && object.kind === 'Service' && object.apiGroup === 'core') {
      found.set(object.name, [...(found.get(object.name) ?? []), object]);
    }
  }
  return found;
});

/** Finds the Services that will be beside those of a construct: of its chart, or else of the app. */
export function servicesBeside(host: Construct): NonNullable<RuleContext['beside']> {
  return (name, namespace) => {
    const all = (SERVICES(host).get(name) ?? []).filter(({ metadata }) => metadata.namespace === namespace);
    const near = all.filter(({ chart }) => host.node.scopes.includes(chart));
    return (near.length > 0 ? near : all).map(documentOf);
  };
}

/** To look at an object that is judged is not to write it. */
function documentOf(object: ApiObject): Json {
  const judged = SynthWatch.of(object).objects.find(({ identity }) => identity === identityOf(object));
  return judged ? judged.document : lookAt(object);
}
