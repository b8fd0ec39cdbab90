import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

const realTime =
  /\b(?:setTimeout|setInterval)\(|\.setTimeout\b|Date\.now\b|new Date\(\)|performance\.now\b|timers\/promises|AbortSignal\.timeout|process\.hrtime/g;
const chance = /\bMath\.random\b|\brandom(?:UUID|Int|Bytes)\b/g;

/** What does not belong to the cluster, and why. */
const allowed = new Map([
  // A connection and the client at its other end.
  ['http/end-response.ts', ['setTimeout(']],
  ['http/event-sink.ts', ['.setTimeout']],
  ['http/http-message.ts', ['setTimeout(']],
  ['http/local-connection.ts', ['setTimeout(']],
  ['http/upgrade-response.ts', ['.setTimeout']],
  ['http/upgrade.ts', ['.setTimeout']],
  ['http/write-parts.ts', ['.setTimeout']],
  ['pods/spdy-sessions.ts', ['setTimeout(']],
  ['web-socket/message-socket.ts', ['.setTimeout']],
  // The disk of the machine, and the other processes on it.
  ['storage/persistence/checkpoint.ts', ['timers/promises']],
  ['storage/persistence/data-directory.ts', ['setTimeout(']],
  ['storage/persistence/directory-lock.ts', ['randomUUID']],
  // The validity of a page in the cache of a client, and the ID of a response.
  ['http/openapi-pages.ts', ['Date.now']],
  ['http/request-handler.ts', ['randomUUID']],
  // A webhook and a client of the server are at the other end of a socket, and TLS compares with their clocks.
  ['webhooks/call-webhook.ts', ['setTimeout(']],
  ['client/install-crds.ts', ['Date.now', 'timers/promises']],
  ['tls/server-certificates.ts', ['new Date()']],
  // Where time and chance come from.
  ['clock/server-clock.ts', ['setTimeout(']],
  ['random/random.ts', ['randomInt', 'randomUUID']],
]);

test('the server uses no time and no chance but those of its options', async () => {
  const names = (await readdir(root, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const found = new Map<string, string[]>();
  for (const name of names) {
    const text = await readFile(path.join(root, name), 'utf8');
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '').replaceAll(/\bclock\.setTimeout\b/gi, '');
    const uses = [...new Set([realTime, chance].flatMap((pattern) => code.match(pattern) ?? []))];
    if (uses.length > 0) found.set(name.replaceAll(path.sep, '/'), uses.toSorted());
  }
  expect(found).toStrictEqual(allowed);
});
