import type { Context } from '../../context.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import type { Catalog } from '../../olm/catalog/catalog.ts';
import { type CatalogVerdict, type Stage, validateCatalog } from '../../olm/catalog/validate-catalog.ts';
import { oneLine } from '../../output/one-line.ts';
import { type CatalogOptions, openCatalog } from './open-catalog.ts';
import { printFindings } from './print-findings.ts';

/** What a verdict leaves out after findings in a stage. */
const unchecked: Readonly<Record<Stage, string>> = {
  reading: '; the rest of the catalog was not checked',
  structure: '; the upgrade graphs were not checked',
  graphs: '',
};

/**
 * `ots catalog validate`: prints what is wrong with a catalog.
 *
 * @throws ProgramEndedError if the catalog is invalid, and the errors of {@link openCatalog}
 */
export async function validate(options: CatalogOptions, context: Context): Promise<void> {
  const catalog = await openCatalog(options, context);
  const verdict = validateCatalog(catalog);
  const isPassed = verdict.findings.length === 0;
  if (options.json) {
    const report = { directory: options.directory, passed: isPassed, ...countsOf(catalog), ...verdict };
    context.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else reportText(verdict, catalog, options, context);
  if (!isPassed) throw new ProgramEndedError(1);
}

function countsOf({ files, packages, channels, bundles }: Catalog) {
  return { files, packages: packages.length, channels: channels.length, bundles: bundles.length };
}

function reportText(
  { findings, stage }: CatalogVerdict,
  catalog: Catalog,
  { directory = '', quiet }: CatalogOptions,
  context: Context,
): void {
  const { stdout } = context;
  printFindings(findings, directory, context);
  if (quiet) return;
  const { packages, channels, bundles } = countsOf(catalog);
  const name = oneLine(directory);
  const has = [count(packages, 'package'), count(channels, 'channel'), count(bundles, 'bundle')].join(', ');
  if (findings.length === 0) stdout.write(`${name} is valid: ${has}\n`);
  else stdout.write(`\n${name}: ${count(findings.length, 'error')}${unchecked[stage]}\n`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
