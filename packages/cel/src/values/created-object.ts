import type { CelResult, CelValue } from './cel-value.ts';
import { equals } from './equals.ts';

/** The root of the types of created objects: `Object`, `Object.spec`, `Object.spec.template`. */
export const objectTypeName = 'Object';
export const patchTypeName = 'JSONPatch';

/** Whether a name is a type of created objects. */
export function isCreatedType(name: string): boolean {
  return name === patchTypeName || name === objectTypeName || name.startsWith(`${objectTypeName}.`);
}

/** An object or an operation of a JSON patch that an expression creates: `Object.spec{replicas: 3}`. */
export class CreatedObject {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(typeName: string, fields: ReadonlyMap<string, CelValue>) {
    this.typeName = typeName;
    this.fields = fields;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof CreatedObject) || other.typeName !== this.typeName) return false;
    if (other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const theirs: CelResult | undefined = other.fields.get(name);
      return theirs !== undefined && equals(value, theirs) === true;
    });
  }
}
