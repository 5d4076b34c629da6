import type { ControllerKind } from './controller-kind';
import { OWNERSHIP_RULES } from './ownership-rules';
import { RuleBook } from './rule';
import { SERVICE_RULES } from './service-rules';

const books = new Map<ControllerKind | undefined, RuleBook>();

/** All rules for finished Services of one kind of owner, or of one that is unknown. */
export function serviceBookOf(kind: ControllerKind | undefined): RuleBook {
  let book = books.get(kind);
  if (!book) {
    book = new RuleBook([...SERVICE_RULES, ...OWNERSHIP_RULES, ...(kind?.rules ?? [])], kind);
    books.set(kind, book);
  }
  return book;
}
