import { type Command, Option } from 'commander';
import type { Resource } from '../../project/project.ts';
import { list } from './flags.ts';
import { suggest } from './suggestions.ts';

/**
 * Adds the flags that name a resource. Completion offers those of the project.
 *
 * @param isOffered whether completion offers a resource; default: all
 */
export function gvkFlags(command: Command, isOffered: (resource: Resource) => boolean = () => true): Command {
  const all = ['--group', '--version', '--kind'];
  const group = new Option('--group <group>', 'API group, without the domain');
  const version = new Option('--version <version>', 'API version, for example v1alpha1');
  const kind = new Option('--kind <kind>', 'kind, for example JobWatcher');
  return command
    .addOption(
      suggest(group, (line) =>
        unique(
          line
            .resources(all)
            .filter(isOffered)
            .map((resource) => resource.group),
        ),
      ),
    )
    .addOption(
      suggest(version, (line) =>
        unique(
          line
            .resources(all)
            .filter(isOffered)
            .map((resource) => resource.version),
        ),
      ),
    )
    .addOption(
      suggest(kind, (line) =>
        unique(
          line
            .resources(all)
            .filter(isOffered)
            .map((resource) => resource.kind),
        ),
      ),
    );
}

/** Completion offers the versions of the kind except the hub, which `--version` names. */
export function spokeFlag(description: string): Option {
  const spoke = new Option('--spoke <versions>', description);
  return suggest(spoke.argParser(list), (line) => {
    const versions = line.resources(['--group', '--kind']).map(({ version }) => version);
    return unique(versions.filter((version) => version !== line.value('--version')));
  });
}

/** The values without repetitions, sorted. */
export function unique(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
