import { join } from 'node:path';
import type { Program } from '../../cluster/harness/program';
import { startBound } from './bound-program';
import { accountPython, awsEnvironment } from './environment';
import type { Inventory } from './inventory';

const SERVER = join(__dirname, '..', 'fake_aws.py');

/** What was set up before any Service. */
export interface Account {
  readonly region: string;
  readonly cluster: string;
  readonly vpc: string;
  /** One for each zone. */
  readonly publicSubnets: readonly string[];
  /** One for each zone. */
  readonly internalSubnets: readonly string[];
  readonly nodeSecurityGroup: string;
  readonly nodes: Record<string, { readonly instance: string; readonly zone: string; readonly address: string }>;
  /** Allocations, as many as zones. */
  readonly elasticAddresses: readonly string[];
  readonly certificate: string;
}

/** AWS as moto plays it, with the account of one cluster. */
export class FakeAws {
  public static async start(folder: string): Promise<FakeAws> {
    const program = await startBound({
      name: 'fake-aws',
      command: accountPython(),
      args: [SERVER],
      folder,
      env: awsEnvironment(folder),
      isReady: ({ log }) => addressIn(log) !== undefined,
    });
    const endpoint = addressIn(program.log) as string;
    return new FakeAws(program, endpoint, (await ask(`${endpoint}/account`)) as Account);
  }

  private constructor(
    public readonly program: Program,
    public readonly endpoint: string,
    public readonly account: Account,
  ) {}

  /** What is in the account now. */
  public inventory(): Promise<Inventory> {
    return ask(`${this.endpoint}/account/inventory`) as Promise<Inventory>;
  }
}

function addressIn(log: string): string | undefined {
  return /^serving on (\S+)$/m.exec(log)?.[1];
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`the fake AWS answered ${response.status} to ${url}: ${(await response.text()).slice(-500)}`);
  }
  return response.json();
}
