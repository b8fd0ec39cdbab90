import type { UnstructuredObject } from 'ots-runtime';
import type { TortureSetup } from '../torture-options.ts';
import type { TortureRun } from './torture-run.ts';

/** A step of a scenario. */
export interface Step {
  /** What happens to the object, such as `is scaled`. */
  readonly title: string;
  readonly act: (run: TortureRun) => unknown;
}

/** The creation of an object, what users do with it, and its deletion. */
export function scenarioOf({ object, changes = {} }: TortureSetup): Step[] {
  return [
    creationOf(object),
    ...Object.entries(changes).map(([title, act]) => ({ title, act })),
    { title: 'is deleted', act: ({ client, parent, key }) => client.delete(parent, key) },
  ];
}

/** @param object as a user creates it */
export function creationOf(object: TortureSetup['object']): Step {
  return {
    title: 'is created',
    act: ({ client, parent, key }) => {
      const created = { ...object, metadata: { ...object.metadata, ...key } };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of this kind
      return client.create(parent, created as UnstructuredObject);
    },
  };
}
