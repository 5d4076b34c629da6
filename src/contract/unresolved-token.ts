import { TOKEN_AS_NUMBER, TOKEN_IN_TEXT } from './unresolved-token.facts';

/** The first token in a document that only a deployment tool can fill in, or nothing. */
export function tokenIn(document: unknown): string | undefined {
  if (typeof document === 'string') {
    return document.includes('{') ? TOKEN_IN_TEXT.exec(document)?.[0] : undefined;
  }
  if (typeof document === 'number') {
    return document < 0 && TOKEN_AS_NUMBER.test(String(document)) ? String(document) : undefined;
  }
  if (typeof document === 'object' && document !== null) {
    for (const key in document) {
      const token = tokenIn(key) ?? tokenIn((document as Record<string, unknown>)[key]);
      if (token !== undefined) {
        return token;
      }
    }
  }
  return undefined;
}
