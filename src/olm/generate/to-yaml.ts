import { stringify } from 'yaml';

/** YAML with sorted keys, so equal content is equal text. OLM reads YAML 1.1, where `y` and `012` need quotes. */
export function toYaml(value: unknown): string {
  return stringify(value, {
    version: '1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    indentSeq: false,
    lineWidth: 0,
  });
}
