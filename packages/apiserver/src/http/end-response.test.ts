import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { configMaps } from '../../test/support/fixtures.ts';

const refused = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Request entity too large: limit is 3145728',
  reason: 'RequestEntityTooLarge',
  code: 413,
};

/** Everything that the server answers until it closes the connection. */
async function answerTo(url: string, ...sent: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  for (const part of sent) socket.write(part);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
  return answer;
}

test.each([
  ['announced and never sent', 'Content-Length: 99000000000000', ''],
  ['one byte too large, and never sent', 'Content-Length: 3145729', ''],
  ['sent in chunks without an end', 'Transfer-Encoding: chunked', `400000\r\n${'x'.repeat(0x400000)}\r\n`],
])('a body that is %s is refused, and the connection is closed', async (_, header, body) => {
  await using server = await ApiServer.start();
  const head = `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;
  const [headers = '', text = ''] = (await answerTo(server.url, head, body)).split('\r\n\r\n');
  expect(headers).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n/);
  expect(JSON.parse(text)).toStrictEqual(refused);
});

test('clients that send a large body to the end all receive the answer', async () => {
  await using server = await ApiServer.start();
  const { hostname, port } = new URL(server.url);
  const body = Buffer.alloc(4 * 1024 * 1024, 'x');
  const codes: unknown[] = [];
  for (let round = 0; round < 20; round += 1) {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = request({ hostname, port, path: configMaps, method: 'POST', headers });
    codes.push(
      await new Promise((resolve) => {
        outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', resolve);
        outgoing.end(body);
      }),
    );
  }
  expect(codes).toStrictEqual(codes.map(() => 413));
});
