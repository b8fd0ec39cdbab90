import type { ApiObject } from '../../json/api-object.ts';
import { plainJson } from '../../json/json-number.ts';
import { parseExact } from '../../json/parse-exact.ts';
import { jsonTextOf } from '../../json/stringify-json.ts';
import type { StoredRecord } from '../stored-record.ts';
import { encodeLine } from './line.ts';

/** A state of an object in a file. Without an object: its deletion. */
export interface Entry {
  readonly table: string;
  readonly key: string;
  readonly revision: number;
  readonly object?: ApiObject;
}

/** The line of a stored object. */
export function lineOfRecord(table: string, record: StoredRecord): Buffer {
  // The text of the object is shared with the answer to its writer.
  return encodeLine(`${headOf(table, record).slice(0, -1)},"object":${jsonTextOf(record.object)}}`);
}

/** The line of a deletion. */
export function lineOfDeletion(table: string, record: StoredRecord): Buffer {
  return encodeLine(headOf(table, record));
}

/** Parses the text of a line. */
export function parseEntry(text: string): Entry {
  // Only integers of many digits could be rounded, and they are rare.
  const value = /\d{16}/.test(text) ? plainJson(parseExact(text)) : JSON.parse(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum says that this server wrote it
  return value as Entry;
}

function headOf(table: string, { key, revision }: StoredRecord): string {
  return JSON.stringify({ table, key, revision });
}
