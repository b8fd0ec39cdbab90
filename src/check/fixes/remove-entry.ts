import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/**
 * Removes an entry from a top-level list of texts in a YAML file, with its line. The rest of the file stays; a list without entries
 * becomes `[]`. The text stays as it is if it has no such entry, or in a list in brackets.
 */
export function removeEntry(text: string, key: string, entry: string): string {
  const { contents } = parseDocument(text);
  const pair = isMap(contents)
    ? contents.items.find(({ key: name }) => isScalar(name) && name.value === key)
    : undefined;
  const list = pair?.value;
  if (!isSeq(list) || list.flow) return text;
  const item = list.items.find((each) => isScalar(each) && each.value === entry);
  if (!isScalar(item) || !item.range) return text;
  const start = text.lastIndexOf('\n', item.range[0] - 1) + 1;
  const end = text.indexOf('\n', item.range[1]);
  const rest = text.slice(0, start) + (end < 0 ? '' : text.slice(end + 1));
  if (list.items.length > 1) return rest;
  const colon = text.indexOf(':', (pair!.key as { range: [number, number, number] }).range[1]) + 1;
  return `${rest.slice(0, colon)} []${rest.slice(colon)}`;
}
