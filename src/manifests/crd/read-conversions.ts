import { closestName } from 'ots-apimachinery/closest-name';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Kind } from './kind.ts';

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'group', type: 'string', required: true },
  { name: 'kind', type: 'string', required: true },
];

/**
 * Reads the @conversion tags, which say that a handler converts between the versions of a kind.
 * @returns the kinds as `group/kind`
 */
export function readConversions(
  tags: readonly Tag[],
  kinds: readonly Kind[],
  diagnostics: Diagnostics,
): Set<string> {
  const converted = new Set<string>();
  const known = new Set(kinds.map(({ group, kind }) => `${group}/${kind}`));
  for (const tag of tags) {
    const args = parseArguments(tag, argumentSpecs, diagnostics);
    if (!args) continue;
    const key = `${args.string('group')}/${args.string('kind')}`;
    const versions = kinds.filter(({ group, kind }) => `${group}/${kind}` === key);
    if (versions.length === 0) {
      const suggestion = closestName(key, known);
      diagnostics.error(
        tag.source,
        tag.span,
        'conversion',
        `unknown kind ${key}`,
        suggestion && `did you mean ${suggestion}?`,
      );
    } else if (versions.length === 1) {
      const hint = 'remove the tag until there is a second version';
      diagnostics.error(
        tag.source,
        tag.span,
        'conversion',
        `${key} has only one version, so it needs no conversion`,
        hint,
      );
    }
    converted.add(key);
  }
  return converted;
}
