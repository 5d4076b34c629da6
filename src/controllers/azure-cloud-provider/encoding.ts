import { portFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { HealthCheckProtocol } from '../../contract/options';
import { encodeOptions } from '../shared/definition';
import { AZURE, AZURE_CATALOGUE, AZURE_CONTROLLER, AZURE_GROUPS } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import type { AzureBasicOptions, AzureCloudProviderOptions, AzureMultipleStandardOptions } from './options';
import { AZURE_IGNORED, type AzureSku } from './reading';
import { AZURE_OPTION_RULES } from './rules';

/** Options of any of the factories. */
export type AnyAzureOptions = AzureCloudProviderOptions & Partial<AzureMultipleStandardOptions & AzureBasicOptions>;

/** What is known of the cluster, and what its Services have in common. */
export interface AzureInstallation {
  readonly sku: AzureSku;
  /** What the options write. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The address, or the name of the public IP, whose frontend the Services share. */
  readonly sharedAddress?: string;
}

const FACTORIES: Readonly<Record<AzureSku, string>> = {
  standard: 'standard()',
  'multiple-standard': 'multipleStandard()',
  basic: 'basic()',
};

/** The annotations that the options write; throws where the balancer would ignore or refuse one. */
export function encodeAzureOptions(sku: AzureSku, options: AnyAzureOptions): Record<string, string> {
  refuseIgnored(sku, options);
  const annotations = {
    ...encodeOptions(AZURE_CONTROLLER, AZURE_CATALOGUE, options),
    ...encodeVirtualMachineSet(options),
    ...encodePorts(options),
  };
  refuseContradictions(annotations);
  return annotations;
}

function fault(what: string, remedy: string): Error {
  return new Error(`${AZURE_CONTROLLER}: ${what}; ${remedy}`);
}

function refuseIgnored(sku: AzureSku, options: AnyAzureOptions): void {
  const ignored = AZURE_IGNORED[sku].map((entry) => entry.fact.option as string);
  if (sku !== 'basic') {
    ignored.push('automaticVirtualMachineSet');
  }
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && value !== null && ignored.includes(option)) {
      throw fault(
        `option ${option} is ignored by the balancers of ${FACTORIES[sku]}`,
        'leave it out, or use the factory that fits the cluster: standard(), multipleStandard() or basic()',
      );
    }
  }
  const protocols = {
    healthProbeProtocol: [options.healthProbeProtocol],
    portHealthProbeProtocol: Object.values(options.portHealthProbeProtocol ?? {}),
  };
  for (const [option, written] of Object.entries(protocols)) {
    if (sku === 'basic' && written.includes(HealthCheckProtocol.HTTPS)) {
      throw fault(`option ${option}: a Basic balancer takes 'https' for tcp`, 'probe by http or tcp');
    }
  }
}

function encodeVirtualMachineSet(options: AnyAzureOptions): Record<string, string> {
  if (!options.automaticVirtualMachineSet) {
    return {};
  }
  if (options.virtualMachineSet !== undefined) {
    throw fault(
      `option automaticVirtualMachineSet excludes virtualMachineSet '${options.virtualMachineSet}'`,
      'keep the one that the Service needs',
    );
  }
  return { [AZURE.mode.key()]: AZURE.mode.encode(AUTOMATIC_VM_SET) };
}

function encodePorts(options: object): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const { key, port, entry, value } of portOptions(options)) {
    const wrong = /^[1-9]\d*$/.test(port) ? portFault(Number(port)) : `'${port}' is not a port number`;
    if (wrong) {
      throw fault(`option ${entry.fact.option}: ${wrong}`, 'use the numbers of ports of the Service as keys');
    }
    try {
      annotations[key] = entry.fact.codec.encode(value);
    } catch (error) {
      throw fault(
        `option ${entry.fact.option}: port ${port}: ${(error as Error).message}`,
        `use ${entry.fact.codec.says}`,
      );
    }
  }
  return annotations;
}

function portOptions(options: object) {
  const given = options as Record<string, Record<string, unknown> | undefined>;
  return AZURE_GROUPS.ports.flatMap((entry) =>
    Object.entries(given[entry.fact.option as string] ?? {}).map(([port, value]) => ({
      entry,
      key: entry.key({ port }),
      port,
      value,
    })),
  );
}

/** What no Service could put right is refused at once, by the rules that validate finished Services. */
function refuseContradictions(annotations: Record<string, string>): void {
  const named = Object.keys(annotations).flatMap((key) =>
    AZURE_GROUPS.ports.flatMap((entry) => entry.match(key)?.port ?? []),
  );
  const ports = [...new Set(named.length > 0 ? named : ['443'])].map((port) => ({ port }));
  for (const rule of AZURE_OPTION_RULES) {
    const written = rule.judge({ metadata: { annotations }, spec: { ports } }, { kubernetes: KubernetesVersion.V1_34 });
    for (const finding of written === undefined ? [] : [written].flat()) {
      throw fault(finding.what, finding.remedy);
    }
  }
}
