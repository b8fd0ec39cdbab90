import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../support/fixtures.ts';
import { Randomness } from '../support/randomness.ts';
import { Session } from '../support/session.ts';
import { TestEnvironment } from 'ots-testing';
import { hostileRequest } from './hostile-requests.ts';

// `npm run test:fuzz` sends many more, and larger ones. FUZZ_SEED=<any number> chooses others.

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 100);
/** Number of levels, items or characters in a hostile part. */
const size = Number(process.env['FUZZ_SIZE'] ?? 20_000);

/** A kube-apiserver gives up on a request after this many milliseconds. */
const longest = 34_000;
/** How many bytes the process may grow for one request: the server reads, copies, compares and writes a body of 3 MiB. */
const largest = 2 ** 30;
/** What an answer must not contain: signs of an error in the server. */
const broken =
  /call stack|is not a function|is not iterable|Cannot (?:read|set|convert)|Invalid (?:string|array|regular)|out of memory|undefined/;

let environment: TestEnvironment;
let session: Session;
beforeAll(async () => {
  environment = await TestEnvironment.start({ env: {}, controllers: false });
  session = new Session(environment.config);
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const any = { type: 'object', additionalProperties: true };
  const list = { type: 'array', items: open, 'x-kubernetes-list-type': 'atomic' };
  const crd = crdOf('Pot', { open, any, list, text: { type: 'string', pattern: '^(a+)+$' } });
  crd.spec.versions[0].schema.openAPIV3Schema.properties.spec['x-kubernetes-preserve-unknown-fields'] = true;
  await installCrd(session, crd);
});
afterAll(async () => {
  session.close();
  await environment.stop();
});

test(
  `${requests} hostile requests are answered, each within its budget`,
  { timeout: 3_600_000 },
  async () => {
    const random = new Randomness(seed);
    for (let count = 0; count < requests; count += 1) {
      await putObjects();
      const { name, method, path, sending } = hostileRequest(random, size);
      const shown = `request ${count} (FUZZ_SEED=${seed}): ${method} ${path.slice(0, 100)}, ${name}: ${String(sending.raw ?? '').slice(0, 200)}`;
      const before = process.memoryUsage.rss();
      const start = performance.now();
      const problem = await answerTo(method, path, sending);
      expect(problem, shown).toBeUndefined();
      expect(performance.now() - start, shown).toBeLessThan(longest);
      expect(process.memoryUsage.rss() - before, shown).toBeLessThan(largest);
    }
    expect((await session.get('/readyz')).body).toBe('ok');
  },
);

/** @returns what is wrong with the answer */
async function answerTo(
  method: string,
  path: string,
  sending: Parameters<Session['open']>[2],
): Promise<string | undefined> {
  try {
    const response = await session.open(method, path, sending);
    let length = 0;
    let text = '';
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (text.length < 10_000) text += chunk.toString('latin1');
    }
    const { statusCode: code = 0 } = response;
    return code >= 500 && broken.test(text) ? `${code}, ${length} bytes: ${text.slice(0, 500)}` : undefined;
  } catch (error) {
    // The server closes the connection when it refuses a body that has not fully arrived. It may return a long header.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'HPE_HEADER_OVERFLOW') return undefined;
    throw error;
  }
}

/** Creates the objects that the requests are about, if they are missing. */
async function putObjects(): Promise<void> {
  await session.post(pathOf('Pot'), objectOf('Pot', 'pot', { a: 'x' }));
  await session.post(configMaps, { metadata: { name: 'map' }, data: { a: 'b' } });
}
