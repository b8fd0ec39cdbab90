import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { until } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';

/** A real server shows these results only at its next full count, minutes later. */
let server: ApiServer;
let session: Session;
const path = '/api/v1/namespaces/default';

beforeAll(async () => {
  server = await ApiServer.start();
  session = new Session(server.connection);
  const spec = { hard: { configmaps: '3', 'count/services': '9', 'services.nodeports': '3' } };
  await session.post(`${path}/resourcequotas`, { metadata: { name: 'quota' }, spec });
  await until(async () => (await used()) !== undefined);
});
afterAll(async () => {
  session.close();
  await server.stop();
});

async function used(): Promise<any> {
  return (await session.get(`${path}/resourcequotas/quota`)).body.status.used;
}

test('an object whose name is taken does not count', async () => {
  await session.post(`${path}/configmaps`, { metadata: { name: 'one' } });
  const { code } = await session.post(`${path}/configmaps`, { metadata: { name: 'one' } });
  expect(code).toBe(409);
  expect(await used()).toMatchObject({ configmaps: '1' });
});

test('a smaller Service frees its node ports', async () => {
  const ports = [80, 81].map((port) => ({ name: `p${port}`, port }));
  await session.post(`${path}/services`, { metadata: { name: 's' }, spec: { type: 'NodePort', ports } });
  expect(await used()).toMatchObject({ 'services.nodeports': '2' });
  await session.merge(`${path}/services/s`, { spec: { ports: ports.slice(0, 1) } });
  await until(async () => (await used())['services.nodeports'] === '1');
});

test('many objects at once do not exceed the limit', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `at-once-${index}`);
  const answers = await Promise.all(
    names.map((name) => session.post(`${path}/configmaps`, { metadata: { name } })),
  );
  expect(answers.filter(({ code }) => code === 201)).toHaveLength(2);
  expect(await used()).toMatchObject({ configmaps: '3' });
  await session.delete(`${path}/configmaps`);
  await until(async () => (await used()).configmaps === '0');
});
