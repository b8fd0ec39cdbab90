import { isDeepStrictEqual } from 'node:util';
import { isMap, parseDocument } from 'yaml';
import { type Data, isData } from './data.ts';
import { YamlEditor } from './yaml-editor.ts';

/**
 * Changes the keys of a YAML or JSON file and keeps the rest of its text.
 *
 * @param change receives the data of the file and returns it without some keys or items
 * @returns undefined if the file is not a map that can be parsed, or if its form keeps the change from being made
 */
export function editYaml(text: string, change: (data: Data) => Data): string | undefined {
  const document = parseDocument(text);
  const before: unknown = document.errors.length > 0 ? undefined : document.toJS();
  if (!isData(before) || !isMap(document.contents)) return undefined;
  const after = change(before);
  const edited = new YamlEditor(text, document).edit(document.contents, before, after);
  return isDeepStrictEqual(parseDocument(edited).toJS(), after) ? edited : undefined;
}

/** The data of a YAML file; empty if it is not a map that can be parsed. */
export function readYaml(text: string): Data {
  const document = parseDocument(text);
  const data: unknown = document.errors.length > 0 ? undefined : document.toJS();
  return isData(data) ? data : {};
}
