import { dotnet } from './dotnet';
import { go } from './go';
import { java } from './java';
import type { Language } from './language';
import { python } from './python';
import { typescript } from './typescript';

/** In the order in which they are tested: the app in TypeScript is the one that others are held against. */
export const LANGUAGES: readonly Language[] = [typescript, python, java, go, dotnet];
