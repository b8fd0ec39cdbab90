import { expect, test } from 'vitest';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

onEachServer('timeouts', (server) => {
  test('the timeout parameter of a request is validated', async () => {
    const outcomes: Record<string, unknown> = {};
    const timeouts = ['bad', '10', '5S', ' 5s', '1s2', '99999999h', '0', '-5s', '', '1.5h'];
    for (const timeout of timeouts) {
      const answer = await server.session.get(
        `/api/v1/namespaces/default?timeout=${encodeURIComponent(timeout)}`,
      );
      outcomes[timeout] = answer.code === 200 ? 'served' : refusal(answer);
    }
    for (const path of ['/version', '/livez', '/apis', '/nothing', '/openapi/v2']) {
      outcomes[path] = refusal(await server.session.get(`${path}?timeout=bad`));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/timeouts.yaml');
  });
});
