import path from 'node:path';
import type { Context } from '../../context.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import type { Catalog } from '../../olm/catalog/catalog.ts';
import type { CatalogFinding } from '../../olm/catalog/finding.ts';
import { type CatalogVerdict, type Stage, validateCatalog } from '../../olm/catalog/validate-catalog.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { wrap } from '../bundle/wrap.ts';
import { type CatalogOptions, openCatalog } from './open-catalog.ts';

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

/** Prints findings below the files that they are about. */
export function printFindings(
  findings: readonly CatalogFinding[],
  directory: string,
  context: Context,
): void {
  let last: string | undefined;
  for (const finding of findings) {
    const place = path.join(directory, finding.file ?? '');
    if (place !== last) context.stdout.write(`${paint(context, 'stdout', 'bold', oneLine(place))}\n`);
    last = place;
    context.stdout.write(textOf(finding, context));
  }
}

function textOf({ type, line, detail }: CatalogFinding, context: Context): string {
  const width = Math.min(context.stdout.columns ?? 80, 120);
  const where = line === undefined ? type : `${type}, line ${line}`;
  const [first = '', ...rest] = wrap(oneLine(`error: ${detail} (${where})`), width - 4);
  const colored = `${paint(context, 'stdout', 'red', 'error:')}${first.slice('error:'.length)}`;
  return [`  ${colored}`, ...rest.map((text) => `    ${text}`)].map((text) => `${text}\n`).join('');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
