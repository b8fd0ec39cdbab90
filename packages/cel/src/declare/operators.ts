import type { Declarations } from './overload.ts';

/** The pairs of comparable types, and their names in the overloads of a relation. Numbers of different types compare by value. */
const relations: readonly (readonly [id: string, left: string, right: string])[] = [
  ['bool', 'bool', 'bool'],
  ['int64', 'int', 'int'],
  ['int64_double', 'int', 'double'],
  ['int64_uint64', 'int', 'uint'],
  ['uint64', 'uint', 'uint'],
  ['uint64_double', 'uint', 'double'],
  ['uint64_int64', 'uint', 'int'],
  ['double', 'double', 'double'],
  ['double_int64', 'double', 'int'],
  ['double_uint64', 'double', 'uint'],
  ['string', 'string', 'string'],
  ['bytes', 'bytes', 'bytes'],
  ['timestamp', 'timestamp', 'timestamp'],
  ['duration', 'duration', 'duration'],
];

function relation(name: string): string {
  return relations.map(([id, left, right]) => `${name}_${id} (${left},${right}) bool`).join('\n');
}

/** Operators, and the functions that macros expand to. `.?` is checked like a field instead. */
export const operators: Declarations = {
  '_<_': relation('less'),
  '_<=_': relation('less_equals'),
  '_>_': relation('greater'),
  '_>=_': relation('greater_equals'),
  '!_': 'logical_not (bool) bool',
  '-_': `
    negate_double (double) double
    negate_int64 (int) int
  `,
  '@in': `
    in_list (A,list(A)) bool
    in_map (A,map(A,B)) bool
  `,
  '@not_strictly_false': 'not_strictly_false (bool) bool',
  '_!=_': 'not_equals (A,A) bool',
  '_%_': `
    modulo_int64 (int,int) int
    modulo_uint64 (uint,uint) uint
  `,
  '_&&_': 'logical_and (bool,bool) bool',
  '_*_': `
    multiply_double (double,double) double
    multiply_int64 (int,int) int
    multiply_uint64 (uint,uint) uint
  `,
  '_+_': `
    add_bytes (bytes,bytes) bytes
    add_double (double,double) double
    add_duration_duration (duration,duration) duration
    add_duration_timestamp (duration,timestamp) timestamp
    add_timestamp_duration (timestamp,duration) timestamp
    add_int64 (int,int) int
    add_list (list(A),list(A)) list(A)
    add_string (string,string) string
    add_uint64 (uint,uint) uint
  `,
  '_-_': `
    subtract_double (double,double) double
    subtract_duration_duration (duration,duration) duration
    subtract_int64 (int,int) int
    subtract_timestamp_duration (timestamp,duration) timestamp
    subtract_timestamp_timestamp (timestamp,timestamp) duration
    subtract_uint64 (uint,uint) uint
  `,
  '_/_': `
    divide_double (double,double) double
    divide_int64 (int,int) int
    divide_uint64 (uint,uint) uint
  `,
  '_==_': 'equals (A,A) bool',
  '_?_:_': 'conditional (bool,A,A) A',
  '_[?_]': `
    list_optindex_optional_int (list(V),int) optional(V)
    optional_list_optindex_optional_int (optional(list(V)),int) optional(V)
    map_optindex_optional_value (map(K,V),K) optional(V)
    optional_map_optindex_optional_value (optional(map(K,V)),K) optional(V)
  `,
  '_[_]': `
    index_list (list(A),int) A
    index_map (map(A,B),A) B
    optional_list_index_int (optional(list(V)),int) optional(V)
    optional_map_index_value (optional(map(K,V)),K) optional(V)
  `,
  '_||_': 'logical_or (bool,bool) bool',
};
