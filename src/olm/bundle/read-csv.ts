import { parseRelease, parseTolerantSemver } from '../versions/semver.ts';
import { csvType } from './csv-type.ts';
import type { Csv } from './csv.ts';
import { type DecodeOptions, WrongTypeError, decodeLikeGo } from './decode-like-go.ts';
import { type JsonObject, valueOf } from './json.ts';

/**
 * Reads a ClusterServiceVersion as OLM v0 does.
 *
 * @throws {WrongTypeError} when a field has the wrong type
 */
export function readCsv(object: JsonObject): Csv {
  checkNull(object, 'version');
  checkNull(object, 'release');
  return decodeCsv(object, { textFromScalars: true });
}

/**
 * Decodes a ClusterServiceVersion.
 *
 * @throws {WrongTypeError} when a field has the wrong type
 */
export function decodeCsv(object: JsonObject, options: DecodeOptions): Csv {
  const csv = decodeLikeGo(object, csvType(), options) as Csv;
  checkText(csv, 'version', (text) => parseTolerantSemver(text) !== undefined, 'a semantic version');
  checkText(csv, 'release', (text) => parseRelease(text) !== undefined, 'a release such as 1 or rc.1');
  return csv;
}

/** Their decoders read null, too. */
function checkNull(object: JsonObject, field: string): void {
  if (valueOf(valueOf(object, 'spec'), field) === null)
    throw new WrongTypeError(`spec.${field}`, 'is empty; write one or delete it');
}

function checkText(
  { spec }: Csv,
  field: 'version' | 'release',
  accepts: (text: string) => boolean,
  what: string,
): void {
  const value = valueOf(spec, field);
  if (value === undefined || (typeof value === 'string' && accepts(value))) return;
  const hint = typeof value === 'string' ? '' : ' in quotes';
  throw new WrongTypeError(`spec.${field}`, `is ${JSON.stringify(value)}, not ${what}${hint}`);
}
