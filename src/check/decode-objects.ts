import type { KubernetesObject } from 'ots-kubernetes';
import { DecodeError, StrictErrors, decodeTyped, goTypeOfKind } from 'ots-apiserver/decoding';
import type { DeployedObject } from './deployed-object.ts';
import { keysOf } from './field-path.ts';

/** A field that a kind does not have, or that has the wrong type. */
export interface WrongField {
  readonly deployed: DeployedObject;
  /** The words of the API server. */
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Decodes the objects of built-in kinds as the API server does. Leaves out those that have values of the wrong type. */
export function decodeObjects(objects: readonly DeployedObject[]): {
  objects: DeployedObject[];
  wrongFields: WrongField[];
} {
  const wrongFields: WrongField[] = [];
  const decoded = objects.flatMap((deployed) => {
    const { apiVersion, kind } = deployed.object;
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    // The generator has checked the definitions.
    const type = kind === 'CustomResourceDefinition' ? undefined : goTypeOfKind(group, version, kind);
    if (!type) return [deployed];
    const strict = new StrictErrors();
    try {
      const object = decodeTyped({ ...deployed.object }, type, strict);
      return [{ ...deployed, object: { apiVersion, kind, ...object } as unknown as KubernetesObject }];
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const [, field = ''] = /Go struct field \w+\.(\S+) of type/.exec(error.message) ?? [];
      wrongFields.push({ deployed, message: error.message, path: keysOf(field) });
      return [];
    } finally {
      for (const message of strict.messages)
        wrongFields.push({ deployed, message, path: keysOf(/field "(.*)"$/.exec(message)?.[1] ?? '') });
    }
  });
  return { objects: decoded, wrongFields };
}
