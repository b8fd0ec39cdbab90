import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { renderDocuments } from '../../manifests/yaml.ts';
import { quoted } from '../../project/names/quoted.ts';
import { type SourceOptions, renderSources } from './render-sources.ts';

/** The flags of `ots catalog render`. */
interface RenderOptions extends SourceOptions {
  output: string;
}

/**
 * `ots catalog render`: prints the objects of a catalog for bundle directories or a template.
 *
 * @throws OtsError `INVALID_OUTPUT`, and the errors of {@link renderSources}
 */
export async function render(options: RenderOptions, context: Context): Promise<void> {
  const { output, json } = options;
  if (output !== 'yaml' && output !== 'json')
    throw new OtsError('INVALID_OUTPUT', `${quoted(output)} is not a format of --output`, {
      hint: 'Use yaml or json.',
    });
  const objects = await renderSources(options, context);
  if (json || output === 'json')
    context.stdout.write(objects.map((object) => `${JSON.stringify(object, null, 2)}\n`).join(''));
  else context.stdout.write(renderDocuments(objects));
}
