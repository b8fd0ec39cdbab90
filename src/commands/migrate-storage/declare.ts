import { Argument, Option } from 'commander';
import { connectionFlags } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';

/** `ots migrate-storage` */
export const declareMigrateStorage: Declare = (program, context) => {
  const migrate = declareCommand(program, {
    name: 'migrate-storage',
    description:
      'rewrite all objects of CRDs in their storage version, so old versions can be removed from the CRDs',
    dryRun: new Option('--dry-run', 'say what would be rewritten, and write nothing'),
    examples: [
      'ots migrate-storage                    # the CRDs of the project',
      'ots migrate-storage jobs.example.com   # or a kind: Job',
      'ots migrate-storage --all --dry-run    # what is left to do in the cluster',
    ],
  })
    .addArgument(
      suggest(new Argument('[crd...]', 'names or kinds of CRDs (default: those of the project)'), (line) => [
        ...new Set(line.resources([]).flatMap(({ api, kind }) => (api ? [kind] : []))),
      ]),
    )
    .option('--all', 'all CRDs of the cluster');
  onRun(
    connectionFlags(migrate),
    context,
    async () => (await import('./migrate-storage.ts')).migrateStorages,
  );
};
