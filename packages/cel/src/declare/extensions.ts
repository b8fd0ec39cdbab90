import { comparableTypes, forTypes, type Declarations } from './overload.ts';

const longNames: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

function idOf(type: string): string {
  return longNames[type] ?? type;
}

/** The cel-go extensions that the API server enables: strings (version 2), sets, and lists (version 3). */
export const extensionFunctions: Declarations = {
  '@sortByAssociatedKeys': forTypes(
    comparableTypes,
    (type) => `list_${idOf(type)}_sortByAssociatedKeys list(T).(list(${type})) list(T)`,
  ),
  charAt: 'string_char_at_int string.(int) string',
  distinct: 'list_distinct list(T).() list(T)',
  flatten: `
    list_flatten list(list(T)).() list(T)
    list_flatten_int list(dyn).(int) list(dyn)
  `,
  format: 'string_format string.(list(dyn)) string',
  join: `
    list_join list(string).() string
    list_join_string list(string).(string) string
  `,
  'lists.range': 'lists_range (int) list(int)',
  lowerAscii: 'string_lower_ascii string.() string',
  replace: `
    string_replace_string_string string.(string,string) string
    string_replace_string_string_int string.(string,string,int) string
  `,
  reverse: 'list_reverse list(T).() list(T)',
  'sets.contains': 'list_sets_contains_list (list(T),list(T)) bool',
  'sets.equivalent': 'list_sets_equivalent_list (list(T),list(T)) bool',
  'sets.intersects': 'list_sets_intersects_list (list(T),list(T)) bool',
  slice: 'list_slice list(T).(int,int) list(T)',
  sort: forTypes(comparableTypes, (type) => `list_${idOf(type)}_sort list(${type}).() list(${type})`),
  split: `
    string_split_string string.(string) list(string)
    string_split_string_int string.(string,int) list(string)
  `,
  'strings.quote': 'strings_quote (string) string',
  substring: `
    string_substring_int string.(int) string
    string_substring_int_int string.(int,int) string
  `,
  trim: 'string_trim string.() string',
  upperAscii: 'string_upper_ascii string.() string',
};
