import type { DeepReadonly, ObjectKey, UnstructuredObject } from 'ots-runtime';

/** An object as a user would create it: without its status and what the server sets. */
export function withoutHistory(object: DeepReadonly<UnstructuredObject>, key: ObjectKey): UnstructuredObject {
  const {
    status: _,
    metadata,
    ...content
  } = structuredClone(object) as UnstructuredObject & { status?: unknown };
  const { labels, annotations } = metadata;
  const { name, namespace } = key;
  const kept = { name, ...(namespace !== undefined && { namespace }) };
  return {
    ...content,
    metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}
