import { expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onBothServers, onEachServer } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import type { Answer, Session } from '../../support/session.ts';

const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20261122);

const pieces = [
  'a',
  'b',
  'k',
  'S',
  '1',
  ' ',
  '-',
  ',',
  ':',
  'ä',
  'ſ',
  '\n',
  '\u{1f600}',
  'word',
  '\\d',
  '\\S',
  '\\w',
  '.',
  '[a-c]',
  '[^a]',
  '[]a]',
  '[a-]',
  '[a-\\d]',
  '[^\\W\\d]',
  '[[:alpha:]]',
  '[[:^punct:]-]',
  '[\\]^]',
  '^',
  '$',
  '\\A',
  '\\z',
  '\\b',
  '\\B',
  '\\n',
  '\\.',
  '\\-',
  '\\_',
  '\\x41',
  '\\x{e4}',
  '\\101',
  '\\0',
  '\\pL',
  '\\PN',
  '\\p{Lu}',
  '\\p{Greek}',
  '\\P{^greek}',
  '\\p{letter}',
  '[\\p{Nd}x]',
  '\\Qa.b*\\E',
  '(?i)',
  '(?-i)',
  '(?m)',
  '(?s)',
  '(?U)',
  '(?i:s)',
  '(?)',
  '|',
  'ab|cd',
  '(a|)',
  '(?P<n>a)',
  '(?<m>b)',
];
const odd = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '\\',
  '*',
  '**',
  '+?+',
  '{2}{3}',
  '{1001}',
  '{3,2}',
  '{,2}',
  '{01}',
  '(?',
  '[b-a]',
  '[[:foo:]]',
  '[[:a]',
  '\\p',
  '\\pX',
  '\\p{',
  '\\p{Foo}',
  '\\p{Old_Italic}',
  '\\8',
  '\\1',
  '\\x',
  '\\x{',
  '\\x{110000}',
  '\\xg1',
  '\\u0041',
  '\\é',
  '\\Z',
  '(?=a)',
  '(?<=a)',
  '(?!a)',
  '(?>a)',
  '(?i',
  '-',
  '(?P<a>',
  '(?P<>a)',
  '(?P=a)',
  '(?<a-b>c)',
  '(?#x)',
  '(?-)',
  '(?i-:a)',
  '(?P<n>a)(?P<n>b)',
  '(a{99}){99}',
  '((a{0}){1000}){1000}',
  '[a',
  '[\\',
  '[^',
  '[a-',
  '\\Q',
  '\\E',
  'a++',
  '[[.a.]]',
  '[\\b]',
  '[\\pX]',
  '[a-\\w]',
];
const repetitions = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,3}?', '{0}', '{0,1000}'];
const textPieces = [
  'a',
  'b',
  'c',
  'k',
  's',
  'S',
  'A',
  'K',
  '\u212a',
  'ſ',
  '1',
  ' ',
  '-',
  '_',
  '.',
  ',',
  '\n',
];
const moreText = [
  'ä',
  'Ä',
  'é',
  'α',
  'Ω',
  '٣',
  '\u{1f600}',
  '\u2028',
  '\v',
  '\0',
  '\\',
  ']',
  '^',
  '*',
  '{',
  'ab',
];

function randomPattern(random: Randomness, oddness: number, depth = 2): string {
  const parts = Array.from({ length: random.pick([1, 1, 2, 3, 4]) }, () => {
    const isNested = depth > 0 && random.chance(0.3);
    const piece = isNested
      ? `${random.pick(['(', '(?:', '(?i:', '(?s-i:'])}${randomPattern(random, oddness, depth - 1)})`
      : random.pick(random.chance(oddness) ? odd : pieces);
    return random.chance(0.3) ? piece + random.pick(repetitions) : piece;
  });
  return (random.chance(0.3) ? '^' : '') + parts.join('') + (random.chance(0.3) ? '$' : '');
}

function randomText(random: Randomness): string {
  const length = random.pick([0, 1, 1, 2, 3, 5]);
  return Array.from({ length }, () => random.pick(random.chance(0.6) ? textPieces : moreText)).join('');
}

const named = <Item>(items: readonly Item[]): [string, Item][] =>
  items.map((item, index) => [`f${index}`, item]);

onBothServers('patterns', (servers) => {
  /** Sends a request to both servers, which must answer the same. */
  async function ask(send: (session: Session) => Promise<Answer>, about: unknown): Promise<Answer> {
    const [embedded, real] = await Promise.all(servers.map(({ session }) => send(session)));
    const [ours, theirs] = [embedded, real].map((answer) => ({
      code: answer!.code,
      causes: answer!.code < 400 ? [] : (refusal(answer!) as any).causes,
    }));
    expect(ours, JSON.stringify(about)).toStrictEqual(theirs);
    return real!;
  }

  const definition = (patterns: readonly string[]) =>
    crdOf(
      'Pattern',
      Object.fromEntries(named(patterns).map(([name, pattern]) => [name, { type: 'string', pattern }])),
    );

  /** The patterns that both servers accept. An answer contains at most a hundred causes. */
  async function sound(patterns: readonly string[]): Promise<string[]> {
    const taken: string[] = [];
    for (let from = 0; from < patterns.length; from += 90) {
      const part = patterns.slice(from, from + 90);
      const send = (session: Session) => session.post(`${crdsPath}?dryRun=All`, definition(part));
      const { body } = await ask(send, from);
      const fields: string[] = (body.details?.causes ?? []).map(({ field }: any) => field);
      taken.push(...part.filter((_, index) => !fields.some((field) => field.includes(`[f${index}]`))));
    }
    return taken;
  }

  // oxlint-disable-next-line vitest/expect-expect -- in ask
  test('invalid patterns are refused with the same message', { timeout: 60_000 }, async () => {
    const random = new Randomness(seed);
    const patterns = [...odd, ...pieces, ...Array.from({ length: 600 }, () => randomPattern(random, 0.4))];
    await sound(patterns);
  });

  test('patterns match the same texts', { timeout: 60_000 }, async () => {
    const random = new Randomness(seed + 1);
    const candidates = Array.from({ length: 600 }, () => randomPattern(random, 0.03));
    const patterns = await sound(candidates);
    expect(patterns.length).toBeGreaterThan(400);
    for (const { session } of servers) await installCrd(session, definition(patterns));
    for (let round = 0; round < 100; round += 1) {
      // An answer contains at most a hundred causes.
      const some = named(patterns).slice((round % 5) * 100, (round % 5) * 100 + 90);
      const spec = Object.fromEntries(some.map(([name]) => [name, randomText(random)]));
      const body = objectOf('Pattern', 'texts', spec);
      await ask((session) => session.post(`${pathOf('Pattern')}?dryRun=All`, body), round);
    }
  });
});

onEachServer('a pattern that takes backtracking forever', (server) => {
  test('is matched in linear time', async () => {
    const patterns = {
      nested: '^(a+)+$',
      either: '^(a|a)*$',
      many: 'a*a*a*a*a*a*b',
      counted: '(a?){30}a{30}b',
    };
    const schemas = Object.fromEntries(
      Object.entries(patterns).map(([name, pattern]) => [name, { type: 'string' as const, pattern }]),
    );
    await installCrd(server.session, crdOf('Hostile', schemas));
    const spec = Object.fromEntries(Object.keys(patterns).map((name) => [name, `${'a'.repeat(50_000)}!`]));
    const { code, body } = await server.session.post(pathOf('Hostile'), objectOf('Hostile', 'x', spec));
    expect(code).toBe(422);
    expect(body.details.causes.map(({ field }: any) => field).toSorted()).toStrictEqual([
      'spec.counted',
      'spec.either',
      'spec.many',
      'spec.nested',
    ]);
  });
});
