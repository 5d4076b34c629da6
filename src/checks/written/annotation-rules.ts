import type { Decoded } from '../../contract/annotation-codec';
import { unlessLive } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import { placeholderIn } from '../../contract/placeholder';
import { shown } from '../../contract/printable';
import { otherOfKey } from '../../controllers/other-controller';
import { eachEntry } from '../../rules/api-server-rule';
import { knownKinds } from '../../rules/controller-definition';
import { variableIn } from '../variables';
import { OLD_SPELLINGS, OLD_SPELLINGS_SOURCE } from './written.facts';
import { kindOf, readers, type WrittenContext, type WrittenRule } from './written-service';

function isListWithGaps(service: Json, text: string, key: string, context: WrittenContext): boolean {
  const items = text.split(',').map((item) => item.trim());
  const whole = items.filter((item) => item !== '');
  if (whole.length === items.length || whole.length === 0) {
    return false;
  }
  const reads = readers(service, context).flatMap(({ catalogue }) => catalogue.find(key) ?? []);
  return reads.some((entry) => isList(entry.decode(whole.join(','))) && !('fault' in entry.decode(text)));
}

function isList(read: Decoded<unknown>): boolean {
  return 'value' in read && Array.isArray(read.value);
}

function isKnown(key: string): boolean {
  return knownKinds().some(({ catalogue }) => catalogue.find(key) !== undefined || catalogue.claims(key));
}

function annotationsIn(service: Json, look: Parameters<typeof eachEntry>[1]) {
  return eachEntry(service.metadata?.annotations, look);
}

/** What people write in annotations of load balancers, whoever reads them. */
export const WRITTEN_ANNOTATION_RULES: readonly WrittenRule[] = [
  {
    id: 'annotation-old-spelling',
    severity: 'warning',
    says: 'old name of an annotation',
    source: OLD_SPELLINGS_SOURCE,
    concerns: (keys) => keys.some((key) => ownValue(OLD_SPELLINGS, key) !== undefined),
    judge: (service) =>
      annotationsIn(service, (key) => {
        const spelling = ownValue(OLD_SPELLINGS, key);
        return spelling === undefined
          ? undefined
          : { what: `annotation ${key} is an old name that is still read`, remedy: `write ${spelling}`, value: key };
      }),
  },
  {
    id: 'annotation-of-other-controller',
    severity: 'warning',
    says: 'annotation for another controller',
    source: 'ours',
    concerns: (keys) => keys.some((key) => otherOfKey(key) !== undefined),
    judge: (service, context) => {
      const kind = kindOf(context);
      return kind
        ? annotationsIn(service, (key) => {
            const other = kind.catalogue.find(key) ? undefined : otherOfKey(key);
            return other
              ? {
                  what: `annotation ${key} is for ${other.name}, and this balancer is owned by ${kind.name}, which ignores it`,
                  remedy: unlessLive(`remove it, or correct controllers in load-balancers.yaml`),
                  value: key,
                }
              : undefined;
          })
        : undefined;
    },
  },
  {
    id: 'annotation-without-prefix',
    severity: 'warning',
    says: 'annotation without its whole prefix',
    source: 'ours',
    concerns: (keys) => keys.some((key) => !isKnown(key)),
    judge: (service, context) =>
      context.owner.controller
        ? undefined
        : annotationsIn(service, (key) => {
            const meant = isKnown(key)
              ? undefined
              : knownKinds()
                  .map(({ catalogue }) => catalogue.underOwnPrefix(key))
                  .find((known) => known !== undefined);
            return meant === undefined
              ? undefined
              : {
                  what: `annotation ${key} is read by no controller, so the balancer has the default instead`,
                  remedy: `write ${meant}`,
                  value: key,
                };
          }),
  },
  {
    id: 'annotation-empty-item',
    severity: 'warning',
    says: 'empty item in a list',
    source: 'ours',
    concerns: (keys) => keys.some(isKnown),
    judge: (service, context) =>
      annotationsIn(service, (key, text) =>
        typeof text === 'string' && isListWithGaps(service, text, key, context)
          ? {
              what: `annotation ${key} is ${shown(text)}, a list with an empty item`,
              remedy: 'remove the comma, or write what is missing',
              value: text,
            }
          : undefined,
      ),
  },
  {
    id: 'annotation-placeholder',
    severity: 'warning',
    says: 'placeholder as the value of an annotation',
    source: 'ours',
    concerns: (keys) => keys.some(isKnown),
    judge: (service) =>
      annotationsIn(service, (key, text) =>
        isKnown(key) && typeof text === 'string' && placeholderIn(text) !== undefined && variableIn(text) === undefined
          ? {
              what: `annotation ${key} is ${shown(text)}, which looks like a placeholder`,
              remedy: 'write the value, or remove the annotation',
              value: text,
            }
          : undefined,
      ),
  },
];
