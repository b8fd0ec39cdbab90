/** Hostile texts for parsers: deep, long, without an end, or short texts that expand to something huge. */

const times = (text: string, count: number) => text.repeat(count);

/** @param size number of levels, items or characters */
export function hostileJson(size: number): string[] {
  return [
    times('[', size),
    times('{"a":', size),
    `${times('[', size)}${times(']', size)}`,
    `${times('{"a":', size)}1${times('}', size)}`,
    `[${times('0,', size)}0]`,
    `{${times('"a":1,', size)}"a":2}`,
    `"${times('\\u0041', size)}"`,
    `"${times('\\', size)}`,
    `"${times('\ud800', size)}"`,
    times('9', size),
    `-0.${times('0', size)}1e-${times('9', Math.min(size, 1000))}`,
    `1e${times('9', size)}`,
    times(' ', size),
    times('\u0000', size),
  ];
}

/** Values in YAML, on one line and on several. */
export function hostileYaml(size: number): string[] {
  return [
    times('[', size),
    times('{a: ', size),
    times('{? ', size),
    times('[a: ', size),
    `\n  ${times('- ', size)}1`,
    `\n  ${times('? ', size)}1`,
    `\n  ${times('- ? ', size)}1`,
    `\n  ${times('!!seq ', size)}[]`,
    times('&a ', size),
    times('*a ', size),
    times('!', size),
    times('%', size),
    `"${times('\\x41', size)}"`,
    `"${times('\\\n', size)}"`,
    `'${times("''", size)}`,
    `|${times('\n', size)} a`,
    `>${times('9', size)}\n a`,
    `|\n${times('  a\n', size)}`,
    times('a: ', size),
    times('a\n  ', size),
    times('# ', size),
    `0x${times('f', size)}`,
    `0b${times('1_', size)}`,
    `${times('1', size)}.${times('1', size)}e+`,
    `\n${Array.from({ length: Math.min(size, 1500) }, (_, level) => `${times(' ', level)}a:\n`).join('')}`,
    aliasBomb(9, 9),
    aliasBomb(2, size),
    `\n  a: &a\n${Array.from({ length: 20 }, (_, index) => `    - &b${index} {a: *a, <<: {x: 1}}\n`).join('')}`,
    `\n  a: &a {<<: *a}`,
    `\n  a: &a [*a]`,
    `!!binary "${times('QUJD', size)}!"`,
    `!!omap [${times('a: b, ', size)}]`,
    `!!set {${times('a, ', size)}}`,
  ];
}

/** Each list holds the one before as often as it is wide. */
function aliasBomb(depth: number, width: number): string {
  const lines = Array.from({ length: depth }, (_, level) => {
    const item = level === 0 ? 'x' : `*x${level - 1}`;
    return `  x${level}: &x${level} [${Array.from({ length: width }, () => item).join(', ')}]`;
  });
  return `\n${lines.join('\n')}\n`;
}

/** Names, selectors, parameters and headers. */
export function hostileWords(size: number): string[] {
  return [
    times('a', size),
    times('(', size),
    times('!', size),
    times(',', size),
    times('a=b,', size),
    `a in (${times('b,', size)}`,
    times('a notin (b),', size),
    times('metadata.name=a,', size),
    times('\\', size),
    times('%', size),
    times('%41', size),
    times('%ff', size),
    times('%', 3),
    times('../', size),
    times(' ', size),
    times('"', size),
    times(';q=0.1,', size),
    times('application/json;as=Table;', size),
    times('-', size),
    times('1', size),
    `-${times('9', size)}`,
    '\u0000',
    '__proto__',
    times('.', size),
    times('a.', size),
    times('=', size),
  ];
}
