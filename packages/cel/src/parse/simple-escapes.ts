/** The meaning of a letter after a backslash, in a string and in a field path; other characters stand for themselves. */
export const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
