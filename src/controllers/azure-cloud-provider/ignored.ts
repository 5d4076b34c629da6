import type { Json } from '../../contract/json';
import { AZURE } from './annotations';
import { AzureReading } from './reading';

/** The keys of paths that are not looked at, since the probes are of TCP. pkg/provider/azure_loadbalancer_healthprobe.go */
export function pathsOfTcpProbes(reading: AzureReading): readonly string[] {
  const tcp = reading.probed.filter((port) => reading.probeProtocol(port) === 'tcp');
  const isEveryOne = tcp.length > 0 && tcp.length === reading.probed.length;
  return [
    ...tcp
      .map((port) => AZURE.portHealthProbeRequestPath.key({ port: String(port.port) }))
      .filter((key) => reading.annotations[key]),
    ...(isEveryOne && reading.isSet(AZURE.healthProbeRequestPath) ? [AZURE.healthProbeRequestPath.key()] : []),
  ];
}

/**
 * The keys whose values are not looked at. The label of a public IP is, where there is one alone: pkg/provider/azure_loadbalancer.go,
 * reconcilePublicIP; the subnet of an internal balancer goes into the names of rules in any case.
 */
export function ignoredByAzure(service: Json): readonly string[] {
  const reading = new AzureReading(service);
  const link = AZURE.plsCreate.on(reading.annotations) ? [] : [AZURE.plsName, AZURE.plsIpConfigurationIpAddress];
  return [
    ...pathsOfTcpProbes(reading),
    ...(reading.internal ? [AZURE.dnsLabelName.key()] : []),
    ...link.map((entry) => entry.key()).filter((key) => reading.annotations[key]),
  ];
}
