import type { Expr } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import type { ExprFactory } from './expr-factory.ts';
import { expandBind, expandSortBy, expandToList, expandToMap } from './gather-macros.ts';
import { type Macro, type MacroCall, macroVariable } from './macro.ts';
import { expandAll, expandExists, expandExistsOne, type Variables } from './quantifier-macros.ts';

type Quantifier = (call: MacroCall, variables: Variables, predicate: Expr, make: ExprFactory) => Expr;

/** By name and number of arguments. All but `has` are methods. */
const macros: Readonly<Record<string, Macro>> = {
  'all/2': quantifier(expandAll),
  'exists/2': quantifier(expandExists),
  'exists_one/2': quantifier(expandExistsOne),
  'map/2': (call, make) => expandToList(call, one(call), undefined, call.args[1]!, make),
  'map/3': (call, make) => expandToList(call, one(call), call.args[1], call.args[2]!, make),
  'filter/2': (call, make) => expandToList(call, one(call), call.args[1], call.args[0]!, make),
  'all/3': quantifier2(expandAll),
  'exists/3': quantifier2(expandExists),
  'exists_one/3': quantifier2(expandExistsOne),
  'existsOne/3': quantifier2(expandExistsOne),
  'transformList/3': (call, make) => expandToList(call, two(call), undefined, call.args[2]!, make),
  'transformList/4': (call, make) => expandToList(call, two(call), call.args[2], call.args[3]!, make),
  'transformMap/3': (call, make) => transformMap(call, undefined, call.args[2]!, make),
  'transformMap/4': (call, make) => transformMap(call, call.args[2], call.args[3]!, make),
  'transformMapEntry/3': (call, make) => expandToMap(call, two(call), undefined, [call.args[2]!], make),
  'transformMapEntry/4': (call, make) => expandToMap(call, two(call), call.args[2], [call.args[3]!], make),
  'sortBy/2': expandSortBy,
  'optMap/2': (call, make) => optional(call, (value) => make.call(call.range, 'optional.of', [value]), make),
  'optFlatMap/2': (call, make) => optional(call, (value) => value, make),
};

/**
 * The API server's macros: those of the language, of two variables, of optional values, and `sortBy`; not
 * `cel.bind`. Only with two variables `existsOne` is an alias of `exists_one`.
 *
 * @returns the expansion of the call; undefined when no macro has its name and number of arguments
 * @throws CelSyntaxError when one has, but the arguments are invalid
 */
export function expandMacro(call: MacroCall, make: ExprFactory): Expr | undefined {
  if (!call.target) return call.name === 'has' && call.args.length === 1 ? expandHas(call, make) : undefined;
  const key = `${call.name}/${call.args.length}`;
  return Object.hasOwn(macros, key) ? macros[key]!(call, make) : undefined;
}

function expandHas(call: MacroCall, make: ExprFactory): Expr {
  const field = call.args[0]!;
  if (field.kind === 'select')
    return make.select(call.range, field.operand, field.field, true, field.nameStart);
  const hint = 'write has(self.field); for a key of a map write "key" in self.map';
  throw new CelSyntaxError('has() takes a field', hint, field, 'invalid argument to has() macro');
}

function quantifier(expand: Quantifier): Macro {
  return (call, make) => expand(call, one(call), call.args[1]!, make);
}

function quantifier2(expand: Quantifier): Macro {
  return (call, make) => expand(call, two(call), call.args[2]!, make);
}

function one(call: MacroCall): Variables {
  return { variable: macroVariable(call.args[0]!, call).name };
}

function two(call: MacroCall): Variables {
  const variable = macroVariable(call.args[0]!, call).name;
  const second = macroVariable(call.args[1]!, call);
  if (second.name !== variable) return { variable, variable2: second.name };
  throw new CelSyntaxError(
    `two variables with the name ${variable}`,
    'the first is the key or index, the second the value',
    second,
  );
}

function transformMap(call: MacroCall, filter: Expr | undefined, transform: Expr, make: ExprFactory): Expr {
  const variables = two(call);
  return expandToMap(call, variables, filter, [make.ident(call.range, variables.variable), transform], make);
}

function optional(call: MacroCall, wrap: (value: Expr) => Expr, make: ExprFactory): Expr {
  const { range } = call;
  const target = call.target!;
  const [name, transform] = [call.args[0]!, call.args[1]!];
  if (name.kind !== 'ident') {
    throw new CelSyntaxError(
      `an argument of ${call.name}() that is not a plain name`,
      `write a variable for the value: .${call.name}(x, …)`,
      name,
    );
  }
  const value = make.method(range, 'value', make.copy(target), []);
  const mapped = expandBind(call, name.name, value, '#unused', transform, make);
  const none = make.call(range, 'optional.none', []);
  return make.call(range, '_?_:_', [make.method(range, 'hasValue', target, []), wrap(mapped), none]);
}
