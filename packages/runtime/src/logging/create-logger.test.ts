import { expect, test } from 'vitest';
import { type LoggerOptions, createLogger } from './create-logger.ts';
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

test('text for people has the stack of errors', () => {
  const [info, failure] = lines({ format: 'pretty' }, (logger) => {
    logger.info({ name: 'a', text: 'two words', n: 1 }, 'hello');
    logger.error({ err: Object.assign(new Error('broken'), { hint: 'mend it' }) }, 'oh');
  });
  expect(info).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}hello name=a text="two words" n=1\n$/);
  expect(failure).toMatch(/ERROR oh\n {4}mend it\n {4}Error: broken\n {8}at /);
});

test('a level that there is not is refused', () => {
  expect(() => createLogger({ level: 'loud' })).toThrow('there is no log level "loud"');
});
