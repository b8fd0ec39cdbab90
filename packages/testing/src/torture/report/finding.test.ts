import { expect, test } from 'vitest';
import { problemsOf } from './finding.ts';

function idOf(detail: string): string {
  const verdict = { oracle: 'rest', details: [detail] } as const;
  return problemsOf([{ plan: { phase: 'undisturbed' }, verdict, fingerprint: '' }])[0]!.id;
}

test('a problem with an Event has the same ID in all runs, which a baseline needs', () => {
  const names = ['web.0123456789abcdef', 'web.fedcba9876543210', 'event-0123456789abcdef'];
  const ids = names.map((name) => idOf(`events.events.k8s.io default/${name}: a patch every 60 s at rest`));
  const id = 'undisturbed-rest-events.events.k8s.io-default';
  expect(ids).toEqual([`${id}-web`, `${id}-web`, `${id}-event`]);
});

test('the names of other objects are part of the ID as they are', () => {
  const ids = ['0123456789abcdef', 'fedcba9876543210'].map((end) =>
    idOf(`secrets default/web.${end}: a patch every 60 s at rest`),
  );
  expect(new Set(ids).size).toBe(2);
});
