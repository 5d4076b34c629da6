import { AzureCloudProvider, HealthCheckProtocol } from '../../src';
import { type ControllerCases, type RefusedOptionsRow, service } from '../support/cases';
import { frontend } from './parts/azure-cloud-provider.frontend';
import { made } from './parts/azure-cloud-provider.made';
import { options } from './parts/azure-cloud-provider.options';
import { placement } from './parts/azure-cloud-provider.placement';
import { ports } from './parts/azure-cloud-provider.ports';
import { rollouts } from './parts/azure-cloud-provider.rollouts';
import { services } from './parts/azure-cloud-provider.services';
import { VM_SET } from './parts/azure-cloud-provider.words';

/** Options that the types of a factory do not have, as they come from JavaScript. */
const given = (options: object): never => options as never;

const ignored = (factory: 'basic' | 'multipleStandard' | 'standard', options: object): RefusedOptionsRow => ({
  title: `${factory} ignores ${Object.keys(options).join(', ')}`,
  make: () => AzureCloudProvider[factory](given(options)),
  message: `option ${Object.keys(options)[0]} is ignored by the balancers of ${factory}()`,
});

export const cases: ControllerCases = {
  wishesMayBreak: ['azure-range-has-host-bits', 'azure-probe-window', 'azure-pls-frontend'],
  kind: AzureCloudProvider._kind.definition,
  make: ({ factory, ...options }) => {
    if (factory === 'basic' || 'virtualMachineSet' in options || 'automaticVirtualMachineSet' in options) {
      return AzureCloudProvider.basic(options);
    }
    return 'configurations' in options
      ? AzureCloudProvider.multipleStandard(options)
      : AzureCloudProvider.standard(options);
  },
  options,
  refusedOptions: [
    ignored('standard', { virtualMachineSet: VM_SET }),
    ignored('multipleStandard', { virtualMachineSet: VM_SET }),
    ignored('multipleStandard', { automaticVirtualMachineSet: true }),
    ignored('standard', { configurations: ['lb-2'] }),
    ignored('basic', { configurations: ['lb-2'] }),
    ignored('basic', { enableHighAvailabilityPorts: true }),
    ignored('basic', { loadBalancerIpv6: 'fd00::1' }),
    ignored('basic', { plsCreate: true }),
    ignored('basic', {
      pipPrefixId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPPrefixes/p',
    }),
    {
      title: 'the controller cannot choose a VM set that is named',
      make: () => AzureCloudProvider.basic({ virtualMachineSet: VM_SET, automaticVirtualMachineSet: true }),
      message: `option automaticVirtualMachineSet excludes virtualMachineSet '${VM_SET}'`,
    },
    {
      title: 'an address decides the balancer, so configurations cannot',
      make: () => AzureCloudProvider.multipleStandard({ configurations: ['lb-2'], pipName: 'pip-1' }),
      message: "configurations are chosen while pipName fixes 'pip-1'",
    },
    {
      title: 'a shared address decides it as well',
      make: () => AzureCloudProvider.multipleStandard({ configurations: ['lb-2'] }).shared('pip-1'),
      message: "configurations are chosen while pipName fixes 'pip-1'",
    },
    {
      title: 'a Basic balancer probes no port by https',
      make: () => AzureCloudProvider.basic({ portHealthProbeProtocol: { '443': HealthCheckProtocol.HTTPS } }),
      message: "option portHealthProbeProtocol: a Basic balancer takes 'https' for tcp",
    },
    {
      title: 'a private link service has no more addresses than its count',
      make: () => AzureCloudProvider.standard({ plsIpConfigurationIpAddress: ['10.0.0.7', '10.0.0.8'] }),
      message: 'plsIpConfigurationIpAddress fixes 2 addresses of a private link service that has 1',
    },
  ],
  claims: [
    { title: 'a Service without a class', service: service(), claimed: 'yes' },
    { title: 'no Service of any class', service: service({ loadBalancerClass: 'azure' }), claimed: 'no' },
  ],
  requests: [...placement, ...frontend, ...ports],
  services,
  made,
  rollouts,
};
