import { type Command, InvalidArgumentError } from 'commander';
import { otherNamed } from '../controllers/other-controller';
import type { ControllersNamed } from './context/check-context';
import { controllerOf, type InstalledController, VARIANT_OPTIONS } from './context/context-controllers';
import { CONTEXT_FILE } from './context/context-file';
import { controllerNames } from './explain/controllers';
import { isMisuse } from './misuse';
import { type Cluster, type ClusterOptions, clustersOf } from './sources/clusters';

/** The options by which every command takes clusters. */
export function withClusterOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      `the file with the clusters, or with what is known of the only one; without it, ${CONTEXT_FILE} nearest to each manifest`,
    )
    .option(
      '-c, --controllers <names>',
      'the controllers that run in the cluster, separated by commas, in place of those of the file',
      controllersNamed,
    )
    .option('--cluster <name>', 'the only cluster that is wanted')
    .option('--exclude <pattern>', 'files that are not looked for, as in .gitignore; again for more', again);
}

function again(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/**
 * The clusters of some paths, without those that have nothing there while others do; a mistake in a context file is one of usage.
 */
export function readClusters(program: Command, paths: readonly string[], options: ClusterOptions): Cluster[] {
  try {
    const all = clustersOf(paths, options);
    const found = all.filter(({ read: { manifests, unreadable } }) => manifests.length + unreadable.length > 0);
    return found.length > 0 ? found : all;
  } catch (error) {
    if (isMisuse(error)) {
      return program.error(error.message);
    }
    throw error;
  }
}

/** Controllers by name, or by name and variant: `aws-load-balancer-controller:serviceMutatorWebhook`. */
function controllersNamed(names: string): ControllersNamed {
  const known = controllerNames();
  const installed = names.split(',').map((name): InstalledController => {
    const [kind, variant] = name.trim().split(':');
    if (!known.includes(name.trim()) && !otherNamed(name.trim())) {
      throw new InvalidArgumentError(`'${name}' is unknown; known are ${known.join(', ')}`);
    }
    return { name: kind, options: variant === undefined ? {} : VARIANT_OPTIONS[kind][variant] };
  });
  return { installed, controllers: installed.map(controllerOf) };
}
