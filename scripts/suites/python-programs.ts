import { join } from 'node:path';
import { cachedVenv } from './cached-venv';

/** The interpreter of a virtual environment with the fake AWS, made where there is none. */
export function pythonWithFakeAws(python: string): string {
  return cachedVenv(python, {
    name: 'fake-aws',
    what: 'the fake AWS',
    requirements: join(__dirname, '..', '..', 'test', 'aws', 'requirements.txt'),
    mebibytes: 600,
    check: 'import boto3, flask, moto',
  });
}

export function pythonWithPreCommit(python: string): string {
  return cachedVenv(python, {
    name: 'pre-commit',
    what: 'pre-commit',
    requirements: join(__dirname, '..', '..', 'test', 'package', 'requirements.txt'),
    mebibytes: 100,
    check: 'import pre_commit',
  });
}
