import path from 'node:path';
import type { Context } from '../../context.ts';
import type { CatalogFinding } from '../../olm/catalog/finding.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { wrap } from '../bundle/wrap.ts';

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
