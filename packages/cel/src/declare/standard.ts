import type { Declarations } from './overload.ts';

/** The standard library of the language, with optional values and the map of two-variable macros. */
export const standardFunctions: Declarations = {
  bool: `
    bool_to_bool (bool) bool
    string_to_bool (string) bool
  `,
  bytes: `
    bytes_to_bytes (bytes) bytes
    string_to_bytes (string) bytes
  `,
  'cel.@mapInsert': `
    @mapInsert_map_key_value (map(K,V),K,V) map(K,V)
    @mapInsert_map_map (map(K,V),map(K,V)) map(K,V)
  `,
  contains: 'contains_string string.(string) bool',
  double: `
    double_to_double (double) double
    int64_to_double (int) double
    string_to_double (string) double
    uint64_to_double (uint) double
  `,
  duration: `
    duration_to_duration (duration) duration
    int64_to_duration (int) duration
    string_to_duration (string) duration
  `,
  dyn: 'to_dyn (A) dyn',
  endsWith: 'ends_with_string string.(string) bool',
  first: 'list_first list(V).() optional(V)',
  getDate: `
    timestamp_to_day_of_month_1_based timestamp.() int
    timestamp_to_day_of_month_1_based_with_tz timestamp.(string) int
  `,
  getDayOfMonth: `
    timestamp_to_day_of_month timestamp.() int
    timestamp_to_day_of_month_with_tz timestamp.(string) int
  `,
  getDayOfWeek: `
    timestamp_to_day_of_week timestamp.() int
    timestamp_to_day_of_week_with_tz timestamp.(string) int
  `,
  getDayOfYear: `
    timestamp_to_day_of_year timestamp.() int
    timestamp_to_day_of_year_with_tz timestamp.(string) int
  `,
  getFullYear: `
    timestamp_to_year timestamp.() int
    timestamp_to_year_with_tz timestamp.(string) int
  `,
  getHours: `
    timestamp_to_hours timestamp.() int
    timestamp_to_hours_with_tz timestamp.(string) int
    duration_to_hours duration.() int
  `,
  getMilliseconds: `
    timestamp_to_milliseconds timestamp.() int
    timestamp_to_milliseconds_with_tz timestamp.(string) int
    duration_to_milliseconds duration.() int
  `,
  getMinutes: `
    timestamp_to_minutes timestamp.() int
    timestamp_to_minutes_with_tz timestamp.(string) int
    duration_to_minutes duration.() int
  `,
  getMonth: `
    timestamp_to_month timestamp.() int
    timestamp_to_month_with_tz timestamp.(string) int
  `,
  getSeconds: `
    timestamp_to_seconds timestamp.() int
    timestamp_to_seconds_tz timestamp.(string) int
    duration_to_seconds duration.() int
  `,
  hasValue: 'optional_hasValue optional(V).() bool',
  int: `
    int64_to_int64 (int) int
    double_to_int64 (double) int
    duration_to_int64 (duration) int
    string_to_int64 (string) int
    timestamp_to_int64 (timestamp) int
    uint64_to_int64 (uint) int
  `,
  last: 'list_last list(V).() optional(V)',
  matches: `
    matches (string,string) bool
    matches_string string.(string) bool
  `,
  'optional.none': 'optional_none () optional(V)',
  'optional.of': 'optional_of (V) optional(V)',
  'optional.ofNonZeroValue': 'optional_ofNonZeroValue (V) optional(V)',
  'optional.unwrap': 'optional_unwrap (list(optional(V))) list(V)',
  or: 'optional_or_optional optional(V).(optional(V)) optional(V)',
  orValue: 'optional_orValue_value optional(V).(V) V',
  size: `
    size_bytes (bytes) int
    bytes_size bytes.() int
    size_list (list(A)) int
    list_size list(A).() int
    size_map (map(A,B)) int
    map_size map(A,B).() int
    size_string (string) int
    string_size string.() int
  `,
  startsWith: 'starts_with_string string.(string) bool',
  string: `
    string_to_string (string) string
    bool_to_string (bool) string
    bytes_to_string (bytes) string
    double_to_string (double) string
    duration_to_string (duration) string
    int64_to_string (int) string
    timestamp_to_string (timestamp) string
    uint64_to_string (uint) string
  `,
  timestamp: `
    timestamp_to_timestamp (timestamp) timestamp
    int64_to_timestamp (int) timestamp
    string_to_timestamp (string) timestamp
  `,
  type: 'type (A) type(A)',
  uint: `
    uint64_to_uint64 (uint) uint
    double_to_uint64 (double) uint
    int64_to_uint64 (int) uint
    string_to_uint64 (string) uint
  `,
  unwrapOpt: 'optional_unwrapOpt list(optional(V)).() list(V)',
  value: 'optional_value optional(V).() V',
};
