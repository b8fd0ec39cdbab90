import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Expr } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import { parse } from './parse.ts';
import { unicodeCharacter } from '../../../../test/support/unicode-character.ts';

/** The tree in short form: calls as `name(args)`, with `target.` for a method. */
function show(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return expr.value.type === 'null' ? 'null' : `${expr.value.type} ${String(expr.value.value)}`;
    case 'ident':
      return expr.name;
    case 'select':
      return expr.testOnly
        ? `has(${show(expr.operand)}.${expr.field})`
        : `${show(expr.operand)}.${expr.field}`;
    case 'call':
      return `${expr.target ? `${show(expr.target)}.` : ''}${expr.function}(${expr.args.map(show).join(', ')})`;
    case 'list':
      return `[${expr.elements.map(({ value, optional }) => (optional ? '?' : '') + show(value)).join(', ')}]`;
    case 'map':
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${show(key)}: ${show(value)}`).join(', ')}}`;
    case 'struct':
      return `${expr.typeName}{${expr.fields.map(({ name, value }) => `${name}: ${show(value)}`).join(', ')}}`;
    default: {
      const variables = [expr.variable, expr.variable2, expr.accumulator].filter(
        (name) => name !== undefined,
      );
      const parts = [expr.initial, expr.condition, expr.step, expr.result].map(show);
      return `fold(${show(expr.range)}; ${variables.join(', ')}; ${parts.join('; ')})`;
    }
  }
}

function errorOf(text: string): CelSyntaxError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof CelSyntaxError) return error;
    throw error;
  }
  throw new Error(`${text} was parsed`);
}

describe('parse', () => {
  test.each([
    ['1 + 2 * 3 - 4', '_-_(_+_(int 1, _*_(int 2, int 3)), int 4)'],
    ['a || b && c', '_||_(a, _&&_(b, c))'],
    ['a && b && c && d', '_&&_(_&&_(a, b), _&&_(c, d))'],
    ['a && b && c', '_&&_(_&&_(a, b), c)'],
    ['a ? b : c ? d : e', '_?_:_(a, b, _?_:_(c, d, e))'],
    ['a in b == c', '_==_(@in(a, b), c)'],
    ['!a', '!_(a)'],
    ['!!a', 'a'],
    ['-a', '-_(a)'],
    ['-1', 'int -1'],
    ['- 1.5', 'double -1.5'],
    ['--1', 'int 1'],
    ['-1.size()', 'int -1.size()'],
    ['a.b.c(d, e)[0]', '_[_](a.b.c(d, e), int 0)'],
    ['a.?b[?c]', '_[?_](_?._(a, string b), c)'],
    ['[?a, b,]', '[?a, b]'],
    ['{?a: b, "c": d}', '{?a: b, string c: d}'],
    ['[,] == {,}', '_==_([], {})'],
    ['a.B{c: 1}', 'a.B{c: int 1}'],
    ['.a.b', '.a.b'],
    ['a // b\n + c', '_+_(a, c)'],
    ['self.namespace', 'self.namespace'],
  ])('reads %s', (text, tree) => expect(show(parse(text))).toBe(tree));

  test.each([
    ['has(a.b)', 'has(a.b)'],
    [
      'l.all(x, p)',
      'fold(l; x, @result; bool true; @not_strictly_false(@result); _&&_(@result, p); @result)',
    ],
    [
      'l.exists(x, p)',
      'fold(l; x, @result; bool false; @not_strictly_false(!_(@result)); _||_(@result, p); @result)',
    ],
    [
      'l.exists_one(x, p)',
      'fold(l; x, @result; int 0; bool true; _?_:_(p, _+_(@result, int 1), @result); _==_(@result, int 1))',
    ],
    ['l.map(x, f)', 'fold(l; x, @result; []; bool true; _+_(@result, [f]); @result)'],
    ['l.map(x, p, f)', 'fold(l; x, @result; []; bool true; _?_:_(p, _+_(@result, [f]), @result); @result)'],
    ['l.filter(x, p)', 'fold(l; x, @result; []; bool true; _?_:_(p, _+_(@result, [x]), @result); @result)'],
    [
      'l.all(i, x, p)',
      'fold(l; i, x, @result; bool true; @not_strictly_false(@result); _&&_(@result, p); @result)',
    ],
    ['l.transformList(i, x, f)', 'fold(l; i, x, @result; []; bool true; _+_(@result, [f]); @result)'],
    [
      'm.transformMap(k, v, f)',
      'fold(m; k, v, @result; {}; bool true; cel.@mapInsert(@result, k, f); @result)',
    ],
    [
      'm.transformMapEntry(k, v, f)',
      'fold(m; k, v, @result; {}; bool true; cel.@mapInsert(@result, f); @result)',
    ],
    [
      'o.optMap(x, f)',
      '_?_:_(o.hasValue(), optional.of(fold([]; #unused, x; o.value(); bool false; x; f)), optional.none())',
    ],
    [
      'o.optFlatMap(x, f)',
      '_?_:_(o.hasValue(), fold([]; #unused, x; o.value(); bool false; x; f), optional.none())',
    ],
    [
      'l.sortBy(x, f)',
      'fold([]; #unused, @__sortBy_input__; l; bool false; @__sortBy_input__; @__sortBy_input__.@sortByAssociatedKeys(fold(@__sortBy_input__; x, @result; []; bool true; _+_(@result, [f]); @result)))',
    ],
    ['l.existsOne(x, p)', 'l.existsOne(x, p)'],
    ['cel.bind(x, a, b)', 'cel.bind(x, a, b)'],
    ['all(x, p)', 'all(x, p)'],
  ])('expands %s', (text, tree) => expect(show(parse(text))).toBe(tree));

  test.each([
    ['0x1F', 31n],
    ['-0x10', -16n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['18446744073709551615u', 2n ** 64n - 1n],
    ['0xFFU', 255n],
    ['1e3', 1000],
    ['.5', 0.5],
    [String.raw`'\a\b\f\n\r\t\v\\\'\"\?\x41\101\u00e9\U0001F600' `, '\x07\b\f\n\r\t\v\\\'"?AAé😀'],
    [String.raw`r'\d'`, String.raw`\d`],
    [`"""it's "so"\r\n"""`, `it's "so"\n`],
    ["''", ''],
    ["''''''", ''],
    [String.raw`b'é\xff\101'`, Uint8Array.from([0xc3, 0xa9, 0xff, 0x41])],
    [String.raw`bR"\x"`, Uint8Array.from([0x5c, 0x78])],
  ])('reads the literal %s', (text, value) =>
    expect(parse(text)).toMatchObject({ kind: 'literal', value: { value } }),
  );

  test.each([
    ['self.a =', 7, 8, 'unexpected character =', 'write "==" to compare; CEL has no assignment'],
    ['a & b', 2, 3, 'unexpected character &', 'write "&&" for "and"'],
    [
      'a == "b',
      5,
      7,
      'a string that is not closed',
      'close it with " on the same line, or open and close it with """',
    ],
    [
      String.raw`a.matches("\d+")`,
      11,
      13,
      String.raw`unknown escape \d in a string`,
      String.raw`write "\\" for a backslash, or a raw string: r'\d+'`,
    ],
    [
      'a ==',
      4,
      4,
      'expected a value, found the end of the expression',
      'write a field (self.x), a value, a call, a list or a map',
    ],
    ['(a', 2, 2, 'expected ")", found the end of the expression', 'close the parenthesis with ")"'],
    [
      'a b',
      2,
      3,
      'expected an operator or the end of the expression, found b',
      'a rule is one expression: combine conditions with "&&"',
    ],
    ['self.in', 5, 7, 'in is not a valid field name', 'write the escaped name of the property: .__in__'],
    [
      'self.`a-b`',
      5,
      10,
      'the API server does not accept names in backquotes',
      'write the name of a field; a property with other characters has escapes in its name, as in self.my__dash__name',
    ],
    [
      'if',
      0,
      2,
      'if is a reserved word',
      'a variable needs another name; a field follows a dot, as in self.x',
    ],
    [
      'l.all(x.y, true)',
      6,
      9,
      'an argument of all() that is not a plain name',
      'write a variable for the item: .all(x, …)',
    ],
    [
      'l.all(x, x, true)',
      9,
      10,
      'two variables with the name x',
      'the first is the key or index, the second the value',
    ],
    [
      'has(a)',
      4,
      5,
      'has() takes a field',
      'write has(self.field); for a key of a map write "key" in self.map',
    ],
    [
      '9223372036854775808',
      0,
      19,
      '9223372036854775808 is not an int',
      'an int has 64 bits: write a uint (1u) or a double (1.0)',
    ],
    [
      String.raw`b'\u0041'`,
      0,
      9,
      String.raw`\u0041 in bytes`,
      String.raw`write the bytes of the character, as in b'\xC3\xA9'`,
    ],
    [
      String.raw`'\ud800'`,
      0,
      8,
      'an escape that is not a Unicode character',
      'write a code point up to 10FFFF that is not a surrogate',
    ],
  ])('refuses %s', (text, start, end, message, hint) => {
    const error = errorOf(text);
    expect({ start: error.start, end: error.end, message: error.message, hint: error.hint }).toEqual({
      start,
      end,
      message,
      hint,
    });
  });

  test('says where the parts of an expression are', () => {
    const expr = parse('(self.a + self.b).size() > 1');
    expect(expr).toMatchObject({
      start: 1,
      end: 28,
      nameStart: 25,
      args: [{ nameStart: 18 }, { start: 27, end: 28 }],
    });
  });

  test('never expands macros without an end', () => {
    const chain = Array.from({ length: 40 }, () => '.optMap(x, x)').join('');
    expect(errorOf(`a${chain}`).message).toBe('an expression that is too large once its macros are expanded');
  });

  test.each([
    '('.repeat(5000),
    '['.repeat(5000),
    'a.'.repeat(5000),
    'a+'.repeat(5000),
    'f('.repeat(5000),
    'a?'.repeat(5000),
    '-'.repeat(5000),
    '"'.repeat(5001),
    '{'.repeat(5000),
  ])('refuses deep nesting: %#', (text) => expect(() => parse(text)).toThrow(CelSyntaxError));

  test('refuses more than 100,000 characters', () => {
    expect(show(parse(`"${'😀'.repeat(99_998)}"`))).toContain('😀');
    expect(errorOf(`"${'😀'.repeat(99_999)}"`).message).toBe('an expression of more than 100000 characters');
  });

  test('parses any text or says where it is wrong', () => {
    const token = fc.constantFrom(
      ...'self x .a ( ) [ ] { } ? : , . + - * / % ! == != < && || in 1 2u 0x3 .5 "a" \'b\' r"\\" b"c" true null has( .all(x, .map(x, // \n """ ` \\ é 😀 \ud800'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: unicodeCharacter }),
      fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(' ')),
      fc.array(token).map((tokens) => tokens.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        try {
          const expr = parse(source);
          expect(expr.start).toBeGreaterThanOrEqual(0);
          expect(expr.end).toBeLessThanOrEqual(source.length);
        } catch (error) {
          if (!(error instanceof CelSyntaxError)) throw error;
          expect(error.hint).not.toBe('');
          expect(error.start).toBeLessThanOrEqual(error.end);
          expect(error.end).toBeLessThanOrEqual(source.length);
        }
      }),
    );
  });
});
