import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/manifests/diagnostics/format-diagnostic.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { apiSource } from './api-source.ts';
import { virtualFiles } from './virtual-files.ts';
import { propertyRuns } from '../support/property-runs.ts';

/** The printed errors of a run, after checking what holds for every input: either files or errors. */
function run(types: string, spec: string): string {
  const { diagnostics, files } = generateManifests(
    virtualFiles({ 'src/foo.ts': apiSource({ types, spec }) }),
  );
  if ((files.size === 0) !== diagnostics.length > 0) throw new Error('neither files nor errors, or both');
  return diagnostics.map(formatDiagnostic).join('\n');
}

const chain = (length: number, line: (i: number) => string) =>
  Array.from({ length }, (_, i) => line(i)).join('\n');

describe('hostile types', () => {
  test.each<[string, string, RegExp]>([
    [
      'arguments that double with every level',
      `type G0<T> = { a: T; b: T };\n${chain(30, (i) => `type G${i + 1}<T> = G${i}<G${i}<T>>;`)}\ntype X = G30<string>;`,
      /contains itself: G0 -> G0 with other type arguments/,
    ],
    [
      'two new arguments on every level',
      `type G0<T> = { x: T };\n${chain(30, (i) => `type G${i + 1}<T> = { p: G${i}<T[]>; q: G${i}<Record<string, T>> };`)}\ntype X = G30<string>;`,
      /uses too many types/,
    ],
    [
      'endless types that branch',
      'interface N<T> { a?: N<T[]>; b?: N<Record<string, T>>; c?: N<[T, T]> }\ntype X = N<string>;',
      /contains itself: N -> N with other type arguments/,
    ],
    [
      'endless types that take turns',
      'interface A<T> { b?: B<T[]> }\ninterface B<T> { a?: A<T | null>; c?: A<T[]> }\ntype X = A<string>;',
      /contains itself/,
    ],
    ['an endless alias', 'type A<T> = A<T[]>;\ntype X = A<string>;', /contains itself: A -> A with other/],
    ['defaults that are each other', 'type A<T = U, U = T> = T;\ntype X = A;', /contains itself/],
    ['an endless default', 'type A<T = A> = { a: T };\ntype X = A;', /contains itself/],
    [
      'intersections that double',
      `interface I0 { a: string }\n${chain(40, (i) => `type I${i + 1} = I${i} & Partial<I${i}>;`)}\ntype X = I40;`,
      /^$/,
    ],
    [
      'intersections of types that double',
      ['A', 'B']
        .map(
          (n) =>
            `${chain(40, (i) => `interface ${n}${i} { a: ${n}${i + 1}; b: ${n}${i + 1} }`)} interface ${n}40 {}`,
        )
        .join('\n') + '\ntype X = A0 & B0;',
      /more than 20000 properties|too many others/,
    ],
    [
      'parents that double and disagree',
      `${['A', 'B'].map((n) => `${chain(40, (i) => `interface ${n}${i} { a: ${n}${i + 1}; b: ${n}${i + 1} }`)} interface ${n}40 {}`).join('\n')}
       interface X extends P, Q {} interface P { a: A0 } interface Q { a: B0 }`,
      /declared differently|more than 20000 properties/,
    ],
    [
      'intersections of unions',
      `${chain(12, (i) => `type U${i} = { a${i}: 1 } | { b${i}: 1 };`)}\ntype X = ${chain(12, (i) => `U${i}`).replaceAll('\n', ' & ')};`,
      /more than 200 combinations/,
    ],
    [
      'unions that double',
      `type U0 = 'a' | 'b';\n${chain(40, (i) => `type U${i + 1} = U${i} | U${i};`)}\ntype X = U40;`,
      /^$/,
    ],
    [
      'a chain of unions that is too long',
      `type U0 = 'a' | 'b';\n${chain(200, (i) => `type U${i + 1} = U${i} | U${i};`)}\ntype X = U200;`,
      /^[^]*more than 100 levels deep(?![^]*never)/,
    ],
    [
      'templates that multiply',
      `type T0 = '0' | '1';\n${chain(40, (i) => `type T${i + 1} = \`\${T${i}}\${T${i}}\`;`)}\ntype X = T40;`,
      /more than 10000 characters/,
    ],
    [
      'keys of keys',
      `type K0 = { a: 1; b: 1 };\n${chain(60, (i) => `type K${i + 1} = { [K in keyof K${i}]: K${i}[K] } & Record<keyof K${i}, 1>;`)}\ntype X = K30;`,
      /^$/,
    ],
    ['a type that indexes itself', `type X = { a: X['b']; b: X['c']; c: X['a'] };`, /contains itself/],
    [
      'a large union of objects',
      `type X = ${chain(120, (i) => `{ type: 't${i}'; f${i}: string }`).replaceAll('\n', ' | ')};`,
      /^$|bytes/,
    ],
    [
      'a large enum, filtered',
      `enum E { ${chain(3000, (i) => `A${i} = 'a${i}',`)} }\ntype X = Exclude<E, E.A1 | ${chain(1000, (i) => `'a${i}'`).replaceAll('\n', ' | ')}>;`,
      /^$/,
    ],
    [
      'constants that refer to each other',
      `${chain(300, (i) => `const C${i} = [...C${i + 1}, ${i}] as const;`)}\nconst C300 = [300] as const;\ntype X = (typeof C0)[number];`,
      /made from itself|^$/,
    ],
    [
      'constants that are made of themselves twice',
      `${chain(40, (i) => `const C${i} = { ...C${i + 1}, a: C${i + 1} } as const;`)}\nconst C40 = { b: 1 } as const;\ntype X = keyof typeof C0;`,
      /^$/,
    ],
    [
      'constants that double',
      `${chain(40, (i) => `const C${i} = [...C${i + 1}, ...C${i + 1}] as const;`)}\nconst C40 = [40] as const;\ntype X = (typeof C0)[number];`,
      /more than 10000 items/,
    ],
  ])('%s', (_, types, message) => {
    expect(run(types, 'x: X;')).toMatch(message);
  });
});

describe('random types', () => {
  const names = ['A', 'B', 'C', 'D'] as const;
  const keys = fc.constantFrom('a', 'b', 'type', 'x-y');
  const { type } = fc.letrec<{ type: string }>((tie) => {
    const inner = tie('type');
    const property = fc
      .tuple(keys, fc.constantFrom('', '?'), inner)
      .map(([key, mark, t]) => `'${key}'${mark}: ${t}`);
    const name = fc.constantFrom(...names);
    return {
      type: fc.oneof(
        { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
        fc.constantFrom(
          'string',
          'int32',
          'boolean',
          'null',
          'undefined',
          'never',
          `'a'`,
          `'b'`,
          '1',
          'number',
          'unknown',
          'T',
          ...names,
        ),
        name.chain((n) => inner.map((t) => `${n}<${t}>`)),
        fc.array(property, { maxLength: 3 }).map((all) => `{ ${all.join('; ')} }`),
        inner.map((t) => `(${t})[]`),
        inner.map((t) => `Record<string, ${t}>`),
        fc.array(inner, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
        fc.array(inner, { minLength: 2, maxLength: 3 }).map((all) => `(${all.join(' | ')})`),
        fc.array(inner, { minLength: 2, maxLength: 3 }).map((all) => `(${all.join(' & ')})`),
        fc.tuple(fc.constantFrom('Partial', 'Required', 'NonNullable'), inner).map(([u, t]) => `${u}<${t}>`),
        fc.tuple(fc.constantFrom('Pick', 'Omit'), inner, keys).map(([u, t, key]) => `${u}<${t}, '${key}'>`),
        fc
          .tuple(fc.constantFrom('Exclude', 'Extract', 'Record'), inner, inner)
          .map(([u, t, v]) => `${u}<${t}, ${v}>`),
        inner.map((t) => `keyof (${t})`),
        fc.tuple(inner, keys).map(([t, key]) => `(${t})['${key}']`),
        fc.tuple(inner, inner).map(([k, t]) => `{ [K in ${k}]: ${t} }`),
        inner.map((t) => `{ [K in keyof (${t})]?: (${t})[K] }`),
        inner.map((t) => '`x-${' + t + '}`'),
      ),
    };
  });

  test('give files or errors', () => {
    const sources = fc.tuple(...names.map(() => type), type);
    const result = fc.check(
      fc.property(sources, ([a, b, c, d, x]) => {
        run(
          `type A = ${a};\ntype B<T> = ${b};\ntype C<T = string> = { a: ${c} };\ninterface D { a: ${d} }`,
          `x: ${x};`,
        );
      }),
      { numRuns: propertyRuns(150) },
    );
    expect(result.failed ? fc.defaultReportMessage(result) : undefined).toBeUndefined();
  });
});
