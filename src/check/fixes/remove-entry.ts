import { isMap, isSeq, parseDocument } from 'yaml';
import { editYaml } from '../../project/yaml/edit-yaml.ts';

/**
 * Removes an entry from a top-level list of texts in a YAML file, with its line. The rest of the file stays; a list without entries
 * becomes `[]`. The text stays as it is if it has no such entry, or in a list in brackets.
 */
export function removeEntry(text: string, key: string, entry: string): string {
  const { contents } = parseDocument(text);
  const list = isMap(contents) ? contents.get(key, true) : undefined;
  if (!isSeq(list) || list.flow) return text;
  const remove = (values: unknown): unknown =>
    Array.isArray(values) ? values.filter((value) => value !== entry) : values;
  return editYaml(text, (data) => ({ ...data, [key]: remove(data[key]) })) ?? text;
}
