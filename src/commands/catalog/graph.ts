import path from 'node:path';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import type { Catalog } from '../../olm/catalog/catalog.ts';
import { type ChannelGraph, channelGraphs } from '../../olm/catalog/channel-graph.ts';
import { drawSvg } from '../../olm/catalog/draw-svg.ts';
import { drawText } from '../../olm/catalog/draw-text.ts';
import { validateCatalog } from '../../olm/catalog/validate-catalog.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { quoted } from '../../project/names/quoted.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { type CatalogOptions, openCatalog } from './open-catalog.ts';
import { writeFile } from '../shared/write-file.ts';

/** The flags of `ots catalog graph`. */
export interface GraphOptions extends CatalogOptions {
  package?: string;
  channel?: string;
  /** A file, or `-`. */
  output?: string;
}

/**
 * `ots catalog graph`: draws the upgrade graphs of a catalog. It draws graphs that are wrong, too, and says that they are.
 *
 * @throws OtsError `UNREADABLE_CATALOG`, `NO_SUCH_CHANNEL`, and the errors of {@link openCatalog} and {@link writeFile}
 */
export async function graph(options: GraphOptions, context: Context): Promise<void> {
  const catalog = await openCatalog(options, context);
  const [problem] = catalog.problems;
  if (problem)
    throw new OtsError('UNREADABLE_CATALOG', `${oneLine(problem.file ?? '')}: ${oneLine(problem.detail)}`, {
      hint: `Run ots catalog validate ${options.directory} to see everything that is wrong, and fix it.`,
    });
  const graphs = chosen(catalog, options);
  if (options.output !== undefined) writeSvg(graphs, options.output, options, context);
  else if (options.json) context.stdout.write(`${JSON.stringify({ graphs }, null, 2)}\n`);
  else context.stdout.write(graphs.map((each) => drawText(each, widthOf(context))).join('\n'));
  if (!options.quiet && !options.json) noteFindings(catalog, options, context);
}

function widthOf({ stdout }: Context): number {
  return Math.min(stdout.columns ?? 80, 120);
}

function chosen(catalog: Catalog, options: GraphOptions): ChannelGraph[] {
  const all = channelGraphs(catalog);
  const found = all.filter(
    (each) =>
      (options.package ?? each.package) === each.package &&
      (options.channel ?? each.channel) === each.channel,
  );
  if (found.length > 0) return found;
  const wanted = [
    ...(options.channel === undefined ? [] : [`channel ${quoted(options.channel)}`]),
    ...(options.package === undefined ? [] : [`package ${quoted(options.package)}`]),
  ].join(' in a ');
  const known = [...new Set(all.map((each) => `${each.package}/${each.channel}`))];
  const more = known.length > 5 ? ` and ${known.length - 5} more` : '';
  throw new OtsError('NO_SUCH_CHANNEL', `The catalog has no ${wanted === '' ? 'channel' : wanted}`, {
    hint:
      known.length === 0
        ? 'Add an object with schema: olm.channel to it.'
        : `Its channels are ${known.slice(0, 5).map(oneLine).join(', ')}${more}.`,
  });
}

function writeSvg(
  graphs: readonly ChannelGraph[],
  output: string,
  options: GraphOptions,
  context: Context,
): void {
  const svg = drawSvg(graphs);
  if (output === '-') {
    context.stdout.write(svg);
    return;
  }
  const { json, dryRun = false } = options;
  const file = path.resolve(workingDirectory(options, context), output);
  const action = writeFile(file, svg, { dryRun, flag: '--output' }, context.fs ?? diskFileSystem);
  const channels = graphs.map((each) => ({ package: each.package, channel: each.channel }));
  if (json) context.stdout.write(`${JSON.stringify({ file, action, dryRun, channels }, null, 2)}\n`);
  else if (!options.quiet) context.stdout.write(`${dryRun ? 'would ' : ''}${action} ${oneLine(output)}\n`);
}

function noteFindings(catalog: Catalog, { directory }: GraphOptions, context: Context): void {
  const { findings } = validateCatalog(catalog);
  if (findings.length === 0) return;
  const errors = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  const note = paint(context, 'stderr', 'yellow', 'warning:');
  context.stderr.write(
    `${note} The catalog has ${errors}: run ots catalog validate ${oneLine(directory ?? '')}\n`,
  );
}
