import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { ApiObject } from '../json/api-object.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import type { BuiltObject } from './built-object.ts';
import { type Kustomization, type Patch, kustomizationError } from './kustomization.ts';

/** Applies the patches of a kustomization to the objects that they select, by the kind and the original name. */
export function applyPatches(objects: readonly BuiltObject[], kustomization: Kustomization): BuiltObject[] {
  return kustomization.patches.reduce<BuiltObject[]>(
    (current, patch) =>
      current.map((built) => {
        if (!patch.kind.test(built.object.kind) || !patch.name.test(built.original.name)) return built;
        return { ...built, object: patchObject(built, patch, kustomization) };
      }),
    [...objects],
  );
}

function patchObject({ object, original }: BuiltObject, patch: Patch, { file }: Kustomization): ApiObject {
  try {
    return patched(object, patch.change);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw kustomizationError(file, `${patch.field} on ${object.kind} ${original.name}: ${problem}`, error);
  }
}

/** A patch by operations, or one that merges: strategically where the schema is known. */
function patched(object: ApiObject, change: Patch['change']): ApiObject {
  if (Array.isArray(change)) return applyJsonPatch(object, change) as ApiObject;
  const { apiVersion, kind } = object;
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const schema = objectSchema(group, version, kind);
  // What a patch says about its target is only a form: kustomize ignores it, too.
  const { apiVersion: _, kind: __, metadata, ...rest } = change as Partial<ApiObject>;
  const { name: ___, ...others } = metadata ?? {};
  const merge = { ...rest, metadata: others };
  const result = schema ? applyStrategicMergePatch(object, merge, schema) : applyMergePatch(object, merge);
  return result as ApiObject;
}
