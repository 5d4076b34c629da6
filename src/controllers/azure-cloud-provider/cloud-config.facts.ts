import { interrupted, kept } from '../../contract/edit';
import { absentIs, where } from '../../contract/edit-cases';
import type { CloudConfigFacts } from '../../rules/cloud-config';
import { azureFile } from './annotations';

const CONFIG = 'pkg/provider/config/azure.go';

/** The cloud configuration: `azure.json` on nodes, or the Secret `azure-cloud-provider` in the cluster. */
export const AZURE_CLOUD_CONFIG: CloudConfigFacts = {
  keys: /^cloud-config$|(^|[-.])azure\.json$/,
  harmless:
    /Backoff|RateLimit|CacheTTLInSeconds$|IntervalInSeconds$|^([Tt]ags|tagsMap|systemTags|useInstanceMetadata|userAgent|disableAPICallCache|putVMSSVMBatchSize|routeUpdateWaitingInSeconds|nodeInstanceNotFoundGracePeriodInSeconds|enableMigrateToIPBasedBackendPoolAPI|routeTable(Name|ResourceGroup))$/,
  settings: {
    loadBalancerBackendPoolConfigurationType: {
      ...interrupted(
        'all nodes are taken out of the balancers before they are put in again the other way: longer, the more nodes there are',
        CONFIG,
      ),
      unless: [
        absentIs('nodeIPConfiguration'),
        where(
          'enableMigrateToIPBasedBackendPoolAPI is set and nodes join by their addresses',
          kept('nodes are moved while they serve'),
          ({ after, around }) => after === 'nodeIP' && around.after.enableMigrateToIPBasedBackendPoolAPI === true,
        ),
      ],
    },
  },
  source: azureFile(CONFIG),
};
