import { expect, test } from 'vitest';
import type { Transform } from './informer-options.ts';
import { Thing } from '../../test/thing.ts';
import { createLogger } from '../logging/create-logger.ts';
import { deepFreeze } from '../objects/deep-readonly.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { ObjectPreparer } from './object-preparer.ts';

const thing = (): Thing => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'default', labels: { app: 'a' } },
  spec: { size: 1 },
});

function preparer(transform?: Transform<Thing>): ObjectPreparer<Thing> {
  return new ObjectPreparer({ kind: Thing, transform, logger: createLogger({ level: 'silent' }) });
}

test('an object that others share is kept as it is, also as the response to a write', () => {
  const shared = deepFreeze(thing());
  expect(preparer().prepare(shared)).toBe(shared);
  expect(preparer().prepareWritten(shared)).toBe(shared);
});

test('a projection of an object that others share is frozen, too', () => {
  const kind = metadataOf(Thing);
  const logger = createLogger({ level: 'silent' });
  const prepared = new ObjectPreparer({ kind, transform: undefined, logger }).prepare(deepFreeze(thing()));
  expect(prepared).not.toHaveProperty('spec');
  expect(Object.isFrozen(prepared)).toBe(true);
});

test('a response that is not frozen is copied, because its writer may change it', () => {
  const written = thing();
  const prepared = preparer().prepareWritten(written);
  expect(prepared).toEqual(written);
  expect(prepared).not.toBe(written);
  written.metadata.name = 'b';
  expect(prepared.metadata.name).toBe('a');
});

test('a transform changes a copy of an object that others share', () => {
  const withoutLabels: Transform<Thing> = (object) => {
    delete object.metadata.labels;
    return object;
  };
  const shared = deepFreeze(thing());
  expect(preparer(withoutLabels).prepare(shared).metadata).toEqual({ name: 'a', namespace: 'default' });
  expect(shared).toEqual(thing());
});
