import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Catalog } from '../../olm/catalog/catalog.ts';
import { readCatalog } from '../../olm/catalog/read-catalog.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workingDirectory } from '../shared/report-options.ts';

/** The flags of commands that read a catalog. */
export interface CatalogOptions extends CommonOptions {
  directory?: string;
}

/**
 * Reads the catalog that the user named.
 *
 * @throws UsageError `NO_CATALOG` without a directory
 * @throws OtsError `NOT_A_CATALOG` if it is not a directory
 */
export async function openCatalog(options: CatalogOptions, context: Context): Promise<Catalog> {
  const { directory } = options;
  if (directory === undefined)
    throw new UsageError('NO_CATALOG', 'The directory of the catalog is missing', {
      hint: 'Name it, such as ots catalog validate catalog.',
    });
  const absolute = path.resolve(workingDirectory(options, context), directory);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isDirectory()) return readCatalog(absolute);
  const problem = info ? 'is not a directory' : 'does not exist';
  throw new OtsError('NOT_A_CATALOG', `${quoted(directory)} ${problem}`, {
    hint: 'Name the directory with the YAML or JSON files of the catalog.',
  });
}
