import { withLayer } from './layer.ts';
import { sameSchema } from '../schema/same-schema.ts';
import { originOf, writtenPlace } from '../schema/origin.ts';
import { lazy } from './type.ts';
import type { Property } from './type.ts';
import type { TypeContext } from './type-context.ts';

/**
 * A property that two parents, or two parts of an interface, declare: the language wants them to be the same.
 * @returns the second, whose type is compared with that of the first when it is evaluated
 */
export function agreeing(context: TypeContext, first: Property, second: Property): Property {
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
        dismiss() {},
        inherited: () => undefined,
      })
    );
  });
  const dismiss = () => {
    first.dismiss();
    second.dismiss();
  };
  return { ...second, type, dismiss };
}
