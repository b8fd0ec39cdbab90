import { withLayer } from './layer.ts';
import { sameSchema } from '../schema/same-schema.ts';
import { originOf, writtenPlace } from '../schema/origin.ts';
import { lazy } from './type.ts';
import type { Property } from './type.ts';
import type { TypeContext } from './type-context.ts';

/**
 * Unifies a property that two parents, or two parts of an interface, declare. TypeScript requires the
 * declarations to be the same.
 * @returns the second property; when its type is evaluated, it is compared with the type of the first
 */
export function unifyProperties(context: TypeContext, first: Property, second: Property): Property {
  if (first === second) return first;
  const type = lazy(() => {
    const one = first.type();
    const other = second.type();
    return (
      one &&
      other &&
      withLayer(other, {
        apply(schema) {
          const expected = context.build(one, first.typeAt);
          const isSame = first.optional === second.optional && (!expected || sameSchema(expected, schema));
          if (!isSame) {
            const there = writtenPlace(originOf(first.at), second.at.module.source);
            const message = `${second.name} is declared differently at ${there}`;
            context.fail(second.at, 'type-conflict', message, 'declare it once, or the same everywhere');
          }
          return schema;
        },
        constrains: false,
        consumeTags() {},
        inherited: () => undefined,
      })
    );
  });
  const consumeTags = () => {
    first.consumeTags();
    second.consumeTags();
  };
  return { ...second, type, consumeTags };
}
