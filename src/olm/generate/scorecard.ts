import type { JsonObject } from '../bundle/json.ts';
import type { InputObject } from './input-object.ts';
import { objectsAt } from './objects-at.ts';

/** The scorecard configuration as the scorecard's own Go types write it. */
export function scorecardConfig({ object }: InputObject): JsonObject {
  const storage = { spec: { mountPath: {} } };
  return {
    storage,
    ...object,
    stages: objectsAt(object, 'stages').map((stage) => ({
      ...stage,
      tests: objectsAt(stage, 'tests').map((test) => ({ storage, ...test })),
    })),
  };
}
