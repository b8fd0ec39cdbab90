import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { MultipleFailuresError } from '../errors/multiple-failures-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { type LoggerOptions, createLogger } from './create-logger.ts';
import { showsColors } from './line-format.ts';
import { logLevel } from './log-level.ts';
import type { Logger } from './logger.ts';

function lines(options: LoggerOptions, log: (logger: Logger) => void): string[] {
  const written: string[] = [];
  log(createLogger({ ...options, stream: { write: (line) => written.push(line) } }));
  return written;
}

test('a line is one JSON document with level, time, message and fields', () => {
  const [line, ...more] = lines({}, (logger) => {
    logger.debug('not this');
    logger.child({ controller: 'c' }).child({ name: 'n' }).info({ replicas: 3 }, 'scaled');
  });
  expect(more).toEqual([]);
  expect(JSON.parse(line!)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    controller: 'c',
    name: 'n',
    replicas: 3,
    msg: 'scaled',
  });
});

test('Kubernetes objects are logged as references, credentials not at all', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'n', annotations: { old: 'aGlkZGVu' } },
    data: { password: 'aGlkZGVu' },
    stringData: { password: 'hidden' },
  };
  const output = lines({}, (logger) => {
    logger.info(
      { secret, list: [secret], connection: { server: 's', token: 'hidden' }, token: 'hidden' },
      'seen',
    );
    logger.info({ request: { headers: { authorization: 'Bearer hidden' } } }, 'seen');
    logger.info(secret, 'seen');
    logger.child({ secret }).info('seen');
  }).join('');
  expect(output).not.toMatch(/hidden|aGlkZGVu/);
  expect(output).toContain('"secret":{"kind":"Secret","namespace":"n","name":"s"}');
});

test('text for people contains the stack of errors', () => {
  const [info, failure] = lines({ format: 'pretty' }, (logger) => {
    logger.info({ name: 'a', text: 'two words', n: 1 }, 'hello');
    const cause = new RangeError('too far');
    logger.error({ err: Object.assign(new Error('broken', { cause }), { hint: 'fix it' }), n: 1 }, 'oh');
  });
  expect(info).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}hello name=a text="two words" n=1\n$/);
  const frames = String.raw`(?: {8}at .+\n)+`;
  expect(failure).toMatch(
    new RegExp(
      String.raw`ERROR oh n=1\n {4}Error: broken\n${frames} {4}Caused by:\n {4}RangeError: too far\n${frames} {4}fix it\n$`,
    ),
  );
});

test('an error whose message says everything is one line, with what to do at its end', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const error = new ConnectionError('Cannot reach https://a:\nno route', 'Start it.', cause);
  const log = (logger: Logger): void => logger.warn({ name: 'web', err: error }, 'trying again');
  expect(lines({ format: 'pretty' }, log)[0]).toMatch(
    /^[\d:.]+ WARN {2}trying again: Cannot reach https:\/\/a: no route name=web hint="Start it\."\n$/,
  );
  expect((JSON.parse(lines({ format: 'json' }, log)[0]!) as { err: unknown }).err).toEqual({
    type: 'ConnectionError',
    name: 'ConnectionError',
    message: 'Cannot reach https://a:\nno route',
    code: 'CONNECTION_FAILED',
    hint: 'Start it.',
    cause: { type: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
  });
});

test.each([
  [403, 'Forbidden', false],
  [404, 'NotFound', false],
  [409, 'Conflict', false],
  [503, 'ServiceUnavailable', false],
  [400, 'BadRequest', true],
  [422, 'Invalid', true],
])('a response %i has a stack when the request itself was wrong', (code, reason, hasStack) => {
  const error = new ApiError({ code, reason, message: reason });
  const [line] = lines({}, (logger) => logger.error({ err: new MultipleFailuresError([error]) }, 'failed'));
  const { err } = JSON.parse(line!) as { err: { stack?: string; cause: { stack?: string } } };
  expect([err.stack !== undefined, err.cause.stack !== undefined]).toEqual([false, hasStack]);
});

test('control characters of a message do not reach a terminal', () => {
  const text = '\x1b[2J\x1b]0;title\x07';
  const output = lines({ format: 'pretty' }, (logger) => {
    logger.info({ text }, `got ${text}`);
    logger.error({ err: new Error(text) }, 'failed');
  }).join('');
  expect(output).not.toMatch(/[^\P{Cc}\n]/u);
});

/** Standard error of a terminal. */
function terminal(colors: boolean): { stream: object; text: () => string } {
  let text = '';
  const stream = { isTTY: true, hasColors: () => colors, write: (line: string) => (text += line) };
  return { stream, text: () => text };
}

test('a terminal gets text, in colors when it has them', () => {
  const [plain, colored] = [terminal(false), terminal(true)];
  for (const { stream } of [plain, colored]) {
    createLogger({ stream: stream as { write(text: string): void } }).warn({ n: 1 }, 'look');
  }
  expect(plain.text()).toMatch(/^[\d:.]+ WARN {2}look n=1\n$/);
  expect(colored.text()).toContain('\x1b[33mWARN \x1b[39m look');
  expect(stripVTControlCharacters(colored.text())).toMatch(/^[\d:.]+ WARN {2}look n=1\n$/);
});

test('NO_COLOR is honored', () => {
  // A terminal, whatever the process runs in.
  const stream = Object.assign(Object.create(WriteStream.prototype) as WriteStream, { isTTY: true });
  for (const name of ['FORCE_COLOR', 'CI', 'TF_BUILD', 'TEAMCITY_VERSION']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm-256color');
  vi.stubEnv('NO_COLOR', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(showsColors(stream)).toBe(false);
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('NODE_DISABLE_COLORS', undefined);
  expect(showsColors(stream)).toBe(true);
});

test('an unknown level is refused', () => {
  expect(() => createLogger({ level: 'loud' })).toThrow('"loud" is not a log level');
});

test('a verbosity or a level name of zap is also accepted', () => {
  expect(['0', '1', 2, '9', 'WARNING', 'panic', 'silent'].map((text) => logLevel(text))).toEqual([
    'info',
    'debug',
    'trace',
    'trace',
    'warn',
    'fatal',
    'silent',
  ]);
  expect(() => logLevel('-1')).toThrow('"-1" is not a log level');
});

test('the level changes at run time, also for children', () => {
  const output = lines({ level: 'warn' }, (logger) => {
    const child = logger.child({ controller: 'c' });
    child.info('not this');
    logger.level = 'debug';
    child.debug('this');
    expect([child.level, child.isLevelEnabled('debug'), child.isLevelEnabled('trace')]).toEqual([
      'debug',
      true,
      false,
    ]);
    child.level = 'silent';
    logger.fatal('not this');
  });
  expect(output.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['this']);
});

test('an error is logged with code, hint and causes, and without the objects that it carries', () => {
  const secret = { kind: 'Secret', metadata: { name: 's', namespace: 'n' }, data: { key: 'aGlkZGVu' } };
  const cause = Object.assign(new Error('refused'), { response: { body: secret, token: 'hidden' } });
  const error = Object.assign(new TypeError('broken', { cause }), {
    code: 'X',
    hint: 'fix it',
    status: 500,
  });
  const [line] = lines({}, (logger) => logger.error({ err: error }, 'oh'));
  expect(line).not.toMatch(/aGlkZGVu|hidden/);
  expect((JSON.parse(line!) as { err: unknown }).err).toEqual({
    type: 'TypeError',
    message: 'broken',
    code: 'X',
    hint: 'fix it',
    status: 500,
    stack: expect.stringContaining('TypeError: broken'),
    cause: {
      type: 'Error',
      message: 'refused',
      response: { body: { kind: 'Secret', namespace: 'n', name: 's' }, token: '[masked]' },
      stack: expect.stringContaining('Error: refused'),
    },
  });
  const [bare] = lines({}, (logger) => logger.error(error));
  expect(JSON.parse(bare!)).toMatchObject({ msg: 'broken', err: { code: 'X' } });
});

test('fields that reveal nothing about credentials are not masked', () => {
  const [line] = lines({}, (logger) =>
    logger.info(
      { secretName: 'tls', secret: { namespace: 'n', name: 's' }, tokens: 3, keyFile: '/key' },
      'seen',
    ),
  );
  expect(JSON.parse(line!)).toMatchObject({
    secretName: 'tls',
    secret: { namespace: 'n', name: 's' },
    tokens: 3,
    keyFile: '/key',
  });
});

test('credentials in messages and formatted arguments are masked by their form', () => {
  const pem = '-----BEGIN EC PRIVATE KEY-----\nhidden\n-----END EC PRIVATE KEY-----';
  const output = lines({}, (logger) => {
    logger.info(`Authorization: Bearer hidden-token`);
    logger.info('got %s and %j', 'eyJhbGciOiJ.hidden.hidden', { password: 'hidden' });
    logger.error({ err: new Error(`no route to https://user:hidden@proxy:8080/path`) }, pem);
  }).join('');
  expect(output).not.toContain('hidden');
  expect(output).toContain('https://[masked]@proxy:8080/path');
});

test.each(['\n', '\r\n', '\t'])('credentials after %j are masked as well', (space) => {
  const output = lines({}, (logger) => {
    logger.info(`it said:${space}eyJhbGciOiJ.hidden.hidden${space}Bearer hidden-token${space}Basic hidden=`);
    logger.error({ err: new Error(`it said:${space}Bearer hidden-token`) }, 'failed');
  }).join('');
  expect(output).not.toContain('hidden');
});

test.each(['-eyJaaaaa', 'Bearer ', ' ', '://', '-----BEGIN PRIVATE KEY'])(
  'a megabyte of %j, which any user may put into an object, does not block the process for minutes',
  (text) => {
    const hostile = text.repeat(1_000_000 / text.length);
    const [line] = lines({}, (logger) => logger.info(`${hostile} eyJ Bearer ${hostile}x`));
    expect(line).toContain('"level":"info"');
  },
);

test('Secrets and credentials are removed at any depth', () => {
  const hidden = 'h1dden';
  const leaf = fc.constantFrom<(inner: unknown) => unknown>(
    () => ({ kind: 'Secret', metadata: { name: 's' }, data: { key: hidden } }),
    () => ({ metadata: { name: 's' }, stringData: { key: hidden } }),
    () => ({ metadata: { generateName: 's-' }, data: { key: hidden } }),
    () => ({ clientSecret: hidden, 'id-token': hidden, Authorization: [hidden] }),
    () => ({ credentials: { user: 'u', pass: hidden } }),
    () => new Error(`Bearer ${hidden}`),
    () => Object.assign(new Error('e'), { object: { metadata: { name: 'n' }, data: hidden } }),
    () => ({ toJSON: () => ({ password: hidden }) }),
    () => Buffer.from(hidden),
  );
  const wrap = fc.constantFrom<(inner: unknown) => unknown>(
    (inner) => ({ inner }),
    (inner) => [1, inner],
    (inner) => new Error('outer', { cause: inner }),
    (inner) => Object.assign(new Error('outer'), { inner }),
    (inner) => new AggregateError([inner], 'all'),
    (inner) => ({ toJSON: () => inner }),
    (inner) => ({ request: { object: inner } }),
  );
  fc.assert(
    fc.property(
      leaf,
      fc.array(wrap, { maxLength: 8 }),
      fc.constantFrom('json', 'pretty'),
      (make, wraps, format) => {
        const value = wraps.reduce((inner, each) => each(inner), make(undefined));
        const output = lines({ format, level: 'trace' }, (logger) => {
          logger.info({ value }, 'field');
          logger.info(value as object);
          logger.child({ value }).warn('child');
          logger.debug('formatted %o', value as object);
          logger.error({ err: value }, 'error');
        }).join('');
        expect(output).not.toContain(hidden);
        expect(output).not.toContain(Buffer.from(hidden).toJSON().data.join(','));
      },
    ),
  );
});

test('values that cannot be read, are endless or are cyclic are cut short', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const output = lines({}, (logger) => {
    logger.info({ cycle, many: Array.from({ length: 50_000 }, () => ({})), big: 1n }, 'seen');
    logger.info(
      {
        get broken() {
          throw new Error('no');
        },
      },
      'seen',
    );
  });
  expect(output).toHaveLength(2);
  expect(output[0]!.length).toBeLessThan(20_000);
  expect(output[1]).toContain('[unreadable]');
});

/** A reader that accepts lines when a test says so. */
class SlowReader extends Writable {
  readonly taken: string[] = [];
  #next: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk.toString());
    this.#next = done;
  }

  read(): boolean {
    const next = this.#next;
    this.#next = undefined;
    next?.();
    return next !== undefined;
  }
}

test('lines wait for a slow reader, in order', () => {
  const stream = new SlowReader();
  const logger = createLogger({ stream });
  for (let n = 0; n < 1000; n += 1) logger.info({ n }, 'line');
  expect(stream.taken).toHaveLength(1);
  while (stream.read());
  expect(stream.taken.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([...Array(1000).keys()]);
});

test('lines beyond the capacity are counted and dropped', () => {
  const stream = new SlowReader();
  const logger = createLogger({ stream });
  const text = 'x'.repeat(2 ** 22);
  for (let n = 0; n < 20; n += 1) logger.info({ n }, text);
  while (stream.read());
  logger.info({ n: 'last' }, 'line');
  while (stream.read());
  const numbers = stream.taken.map((line) => JSON.parse(line) as { n?: unknown; lines?: number });
  expect(numbers.at(-2)?.lines).toBe(20 - (numbers.length - 2));
  expect(numbers.at(-1)?.n).toBe('last');
});

test('a reader that is gone does no harm', async () => {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('EPIPE'), { code: 'EPIPE' })),
  });
  for (const logger of [createLogger({ stream }), createLogger({ stream })]) logger.info('line');
  await new Promise((resolve) => setImmediate(resolve));
  expect(stream.listenerCount('error')).toBe(1);
});
