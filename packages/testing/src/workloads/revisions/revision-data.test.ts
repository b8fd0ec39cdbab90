import { expect, test } from 'vitest';
import { revisionData } from './revision-data.ts';

test('the data of a revision has the bytes that Go writes for a map', () => {
  const data = revisionData({
    spec: { containers: [{ name: 'web', image: 'web:1' }] },
    metadata: { labels: { b: '2', a: '1' } },
  });
  expect(JSON.stringify(data)).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"1","b":"2"}},' +
      '"spec":{"containers":[{"image":"web:1","name":"web"}]}}}}',
  );
});
