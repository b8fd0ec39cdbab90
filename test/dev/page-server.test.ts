import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OtsError } from '../../src/errors/ots-error.ts';
import { startPage } from '../../src/dev/server/start-page.ts';
import { emptyState } from './empty-state.ts';
import { ScriptedSession } from './scripted-session.ts';

// What `ots dev` serves on the loopback interface.

let session: ScriptedSession;
let url: string;

beforeEach(async () => {
  session = await ScriptedSession.start(emptyState);
  ({ url } = session.page);
});

afterEach(() => session.page.close());

/** Unlike fetch, it sends any Host, and any path. */
async function send(
  target: string,
  { headers = {}, method = 'GET', body }: { headers?: object; method?: string; body?: string } = {},
) {
  const { host, port } = new URL(url);
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    path: target,
    method,
    headers: { Host: host, ...headers },
  });
  request.end(body);
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode as number, headers: response.headers, text };
}

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}api/actions`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

/** The events of a stream, one by one. */
async function* events(response: Response): AsyncGenerator<{ id: string; event: string; data: any }> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (!text.includes('\n\n', text.length - chunk.length - 1)) continue;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      if (field('event')) yield { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
    }
  }
}

describe('who may ask', () => {
  test('the path starts with a random token of at least 128 bits', async () => {
    const [, token] = new URL(url).pathname.split('/');
    expect(token).toMatch(/^[\w-]{22,}$/);
    await using other = await ScriptedSession.start(emptyState);
    expect(new URL(other.page.url).pathname).not.toBe(new URL(url).pathname);
  });

  test.each(['/', '/api/state', '/x/api/state', '/favicon.ico', '//api/state'])(
    '%s without the token is not found',
    async (path) => {
      expect((await send(path)).status).toBe(404);
    },
  );

  test('a token that is almost right is not found', async () => {
    const { pathname } = new URL(url);
    expect((await send(`${pathname.slice(0, -2)}/api/state`)).status).toBe(404);
    expect((await send(`${pathname.slice(0, -1)}x/api/state`)).status).toBe(404);
  });

  test.each(['example.com', 'example.com:80', '127.0.0.1', '127.0.0.1:1', 'localhost.example.com'])(
    'a request to the host %s is refused, as a name can resolve to this machine',
    async (host) => {
      const { status, text } = await send(`${new URL(url).pathname}api/state`, { headers: { Host: host } });
      expect(status).toBe(403);
      expect(text).toContain('Host is not 127.0.0.1:');
    },
  );

  test.each(['localhost', '127.0.0.1', '[::1]'])('a request to the host %s is served', async (name) => {
    const { port, pathname } = new URL(url);
    const headers = { Host: `${name}:${port}` };
    expect((await send(`${pathname}api/state`, { headers })).status).toBe(200);
  });

  test.each(['http://example.com', 'null', 'http://localhost:1'])(
    'an action from a page of %s is refused',
    async (origin) => {
      expect((await post('{"action":"restart"}', { Origin: origin })).status).toBe(403);
      expect(session.actions).toEqual([]);
    },
  );

  test('an action from the page itself is accepted', async () => {
    expect((await post('{"action":"restart"}', { Origin: new URL(url).origin })).status).toBe(204);
  });

  test('every response forbids other origins, caches and guesses', async () => {
    for (const path of ['/', `${new URL(url).pathname}api/state`]) {
      const { headers } = await send(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

describe('api/state', () => {
  test('is the state now', async () => {
    session.change({ type: 'problems', value: [{ source: 'types', message: 'Type error' }] });
    const response = await fetch(`${url}api/state`);
    expect(response.headers.get('content-type')).toBe('application/json');
    const problems = [{ source: 'types', message: 'Type error' }];
    expect(await response.json()).toEqual({ ...emptyState, problems });
  });

  test('is only read', async () => {
    const response = await fetch(`${url}api/state`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('api/events', () => {
  test('starts with everything, then sends each change with the next id', async () => {
    session.change({ type: 'forget', value: 'before' });
    const stream = events(await fetch(`${url}api/events`));
    expect((await stream.next()).value).toEqual({ id: '1', event: 'state', data: emptyState });
    const change = { type: 'cluster', value: { ...emptyState.cluster, ahead: 60 } } as const;
    session.change(change);
    session.change({ type: 'forget', value: 'line\nbreak' });
    expect((await stream.next()).value).toEqual({ id: '2', event: 'cluster', data: change });
    expect((await stream.next()).value).toMatchObject({ id: '3', data: { value: 'line\nbreak' } });
    await stream.return(undefined);
  });

  test('ends with an event when the session ends', async () => {
    const response = await fetch(`${url}api/events`);
    const stream = events(response);
    await stream.next();
    await session.page.close();
    expect((await stream.next()).value).toMatchObject({ event: 'end' });
    expect((await stream.next()).done).toBe(true);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(session.listeners).toBe(0);
  });

  test('drops a reader that does not read, and keeps the others', async () => {
    const { port, pathname, host } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}api/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'readable');
    const stream = events(await fetch(`${url}api/events`));
    await stream.next();
    for (let sent = 0; sent < 16; sent++) {
      session.change({ type: 'forget', value: 'x'.repeat(1024 * 1024) });
      expect((await stream.next()).value).toMatchObject({ event: 'forget' });
    }
    const dropped = once(socket, 'close');
    socket.on('error', () => {}).resume();
    await dropped;
    await stream.return(undefined);
  });
});

describe('api/actions', () => {
  const web = { controller: 'website', namespace: 'default', name: 'web' };

  test.each([
    { action: 'restart' },
    { action: 'pause' },
    { action: 'step', ...web },
    { action: 'resume', controller: 'node', name: 'a' },
    { action: 'advance', seconds: 0.5 },
    { action: 'evict-pod', namespace: 'default', name: 'web-0' },
    { action: 'restore', snapshot: 'before' },
  ])('%j is done', async (action) => {
    const response = await post(JSON.stringify(action));
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(session.actions).toEqual([action]);
  });

  test.each([
    ['restart', 'The body is not JSON: '],
    ['[]', 'The body is not a JSON object'],
    ['null', 'The body is not a JSON object'],
    ['{}', 'action: is not one of restart, crash, apply-samples, '],
    ['{"action":"toString"}', 'action: is not one of '],
    ['{"action":"restart","now":true}', 'now: is not a field of restart'],
    ['{"action":"advance"}', 'seconds: is not a number of seconds above 0, up to 31622400'],
    ['{"action":"advance","seconds":"60"}', 'seconds: is not a number'],
    ['{"action":"advance","seconds":-1}', 'seconds: is not a number'],
    ['{"action":"advance","seconds":1e300}', 'seconds: is not a number'],
    ['{"action":"pause","name":"web"}', 'controller: is missing'],
    ['{"action":"pause","controller":"website"}', 'name: is missing'],
    ['{"action":"fail-pod","namespace":"default"}', 'name: is not a non-empty string'],
    ['{"action":"restore","snapshot":""}', 'snapshot: is not a non-empty string'],
  ])('%s is refused, and the response says why', async (body, message) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: expect.stringContaining(message) },
    ]);
    expect(session.actions).toEqual([]);
  });

  test('a body that is not marked as JSON is refused, because forms of other pages can send it', async () => {
    expect((await post('{"action":"restart"}', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  test('a body of more than 64 KiB is refused', async () => {
    const body = JSON.stringify({ action: 'restore', snapshot: 'x'.repeat(64 * 1024) });
    expect((await post(body)).status).toBe(413);
  });

  test('an action that is not possible is a conflict with a hint', async () => {
    session.onAction = () => {
      throw new OtsError('NO_SNAPSHOT', '"before" is not a snapshot', { hint: 'Take one first.' });
    };
    const response = await post('{"action":"restore","snapshot":"before"}');
    expect([response.status, await response.json()]).toEqual([
      409,
      { message: '"before" is not a snapshot', hint: 'Take one first.' },
    ]);
  });

  test('an action that fails for another reason is an error of the server', async () => {
    session.onAction = () => Promise.reject(new TypeError('broken'));
    const response = await post('{"action":"crash"}');
    expect([response.status, await response.json()]).toEqual([500, { message: 'broken' }]);
  });
});

test('a port that is in use is an error with a hint', async () => {
  const options = { state: () => emptyState, subscribe: () => () => {}, act: async () => {} };
  const port = Number(new URL(url).port);
  await expect(startPage({ ...options, host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'PAGE_PORT',
    hint: 'Choose another port.',
  });
});

test('closing twice is the same as closing once', async () => {
  await session.page.close();
  await expect(session.page.close()).resolves.toBeUndefined();
});
