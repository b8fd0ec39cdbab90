import { PassThrough } from 'node:stream';
import { createLogger } from 'ots-runtime';
import { expect, test } from 'vitest';
import { logLine } from '../../src/dev/operator/log-line.ts';

const now = new Date('2026-01-01T10:00:00Z');

test('a line of the logger has its reconcile', () => {
  const stream = new PassThrough();
  const logger = createLogger({ stream }).child({ name: 'sample', reconcileId: 'r1' });
  logger.error({ attempt: 2 }, 'reconcile failed; retrying');
  expect(logLine(String(stream.read()), now)).toMatchObject({
    level: 'error',
    message: 'reconcile failed; retrying',
    reconcile: 'r1',
    fields: { name: 'sample', attempt: 2 },
  });
});

test('any other line is a message', () => {
  expect(logLine('{ not JSON', now)).toEqual({
    at: now.toISOString(),
    level: 'info',
    message: '{ not JSON',
    fields: {},
  });
});
