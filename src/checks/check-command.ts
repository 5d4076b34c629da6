import { globSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../contract/printable';
import { RuleSet } from '../rules/rule-set';
import { check } from './check';
import type { CheckReport, UnreadableDocument } from './check-report';
import { type CheckContext, NO_CONTEXT } from './context/check-context';
import { CONTEXT_FILE, contextFileAbove, readContextFile } from './context/context-file';
import { initialContext } from './context/init';
import { exitCode, type FailOn, FORMATS, type FormatName } from './formats';
import { readManifests } from './manifests';

interface CheckOptions {
  readonly format: FormatName;
  readonly failOn: FailOn;
  readonly strict?: true;
  readonly config?: string;
  readonly date: string;
  readonly init?: true;
}
