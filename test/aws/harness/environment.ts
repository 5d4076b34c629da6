import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// What `npm run test:aws` prepares for the tests.

function prepared(variable: string, what: string): string {
  const file = process.env[variable];
  if (!file) {
    throw new Error(`there is no ${what} to start: run \`npm run test:aws\`, which makes it`);
  }
  if (!existsSync(file)) {
    throw new Error(`${variable} says that the ${what} is ${file}, where there is nothing: run \`npm run test:aws\``);
  }
  return file;
}

/** The AWS cloud controller manager. */
export const controllerBinary = () => prepared('AWS_CLOUD_CONTROLLER_MANAGER', 'AWS cloud controller manager');

/** A Python that has moto and boto3. */
export const accountPython = () => prepared('AWS_ACCOUNT_PYTHON', 'Python with the fake AWS');

/**
 * The environment of a program that speaks to a fake AWS, and must never speak to the real one: whatever the user has set
 * for AWS is taken out, files included, and no proxy stands between.
 */
export function awsEnvironment(folder: string, endpoint?: string): NodeJS.ProcessEnv {
  const theirs = Object.keys(process.env).filter((name) => /^(AWS_|BOTO_|MOTO_)/i.test(name));
  const empty = join(folder, 'aws-config');
  writeFileSync(empty, '');
  return {
    ...Object.fromEntries(theirs.map((name) => [name, undefined])),
    AWS_ACCESS_KEY_ID: 'fake',
    AWS_SECRET_ACCESS_KEY: 'fake',
    AWS_CONFIG_FILE: empty,
    AWS_SHARED_CREDENTIALS_FILE: empty,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: endpoint,
    NO_PROXY: '*',
    no_proxy: '*',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
